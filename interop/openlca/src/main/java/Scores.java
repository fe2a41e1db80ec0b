import java.io.File;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipFile;

import org.apache.commons.math3.linear.SingularMatrixException;
import org.openlca.core.database.Derby;
import org.openlca.core.database.IDatabase;
import org.openlca.core.database.ProcessDao;
import org.openlca.core.matrix.AllocationIndex;
import org.openlca.core.matrix.CalcExchange;
import org.openlca.core.matrix.Demand;
import org.openlca.core.matrix.MatrixConfig;
import org.openlca.core.matrix.MatrixData;
import org.openlca.core.matrix.cache.ExchangeTable;
import org.openlca.core.matrix.format.JavaMatrix;
import org.openlca.core.matrix.index.ImpactIndex;
import org.openlca.core.matrix.index.LongPair;
import org.openlca.core.matrix.index.TechFlow;
import org.openlca.core.matrix.index.TechIndex;
import org.openlca.core.matrix.solvers.JavaSolver;
import org.openlca.core.model.AllocationMethod;
import org.openlca.core.model.CalculationSetup;
import org.openlca.core.model.Process;
import org.openlca.io.ilcd.ILCDImport;
import org.openlca.io.ilcd.input.ImportConfig;
import org.openlca.io.refdata.RefDataImport;
import org.openlca.jsonld.ZipStore;
import org.openlca.jsonld.input.JsonImport;

/**
 * Scores FOLDER [--by-flow] PACK...
 *
 * Imports JSON-LD and ILCD packs and folders of reference data into a fresh database and calculates every process under
 * every impact category: for the amount of its quantitative reference, linked by
 * default providers, with the allocation that each process names. With --by-flow
 * an input without a provider goes to the only process that makes its flow.
 * openLCA makes the matrices once for all processes; each is then solved with
 * those that it depends on, as a product system is.
 *
 * Writes scores.csv, and into facts.csv who takes from whom and what of a process
 * openLCA has no rule for.
 */
public class Scores {

	public static void main(String[] args) {
		int status = 0;
		try {
			run(args);
		} catch (Throwable e) {
			e.printStackTrace();
			status = 1;
		}
		System.exit(status); // the import leaves a thread behind
	}

	private static void run(String[] args) throws Exception {
		var folder = new File(args[0]);
		boolean byFlow = args[1].equals("--by-flow");
		try (var db = Derby.createInMemory();
				var out = new PrintWriter(new File(folder, "scores.csv"), "UTF-8");
				var facts = new PrintWriter(new File(folder, "facts.csv"), "UTF-8")) {
			for (int i = byFlow ? 2 : 1; i < args.length; i++) {
				read(new File(args[i]), db);
			}
			var scores = new Scores(db, byFlow);
			scores.write(out);
			scores.tell(facts);
		}
	}

	private static void read(File pack, IDatabase db) throws Exception {
		if (pack.isDirectory()) {
			new RefDataImport(pack, db).run();
			return;
		}
		boolean isILCD;
		try (var zip = new ZipFile(pack)) {
			isILCD = zip.stream().anyMatch(e -> e.getName().startsWith("ILCD/"));
		}
		if (isILCD) {
			try (var store = new org.openlca.ilcd.io.ZipStore(pack)) {
				new ILCDImport(new ImportConfig(store, db)).run();
			}
			return;
		}
		try (var store = ZipStore.open(pack)) {
			new JsonImport(store, db).run();
		}
	}

	private final IDatabase db;
	private final TechIndex index;
	private final ImpactIndex impacts;
	private final Map<Long, Demand> demands;
	private final JavaSolver solver = new JavaSolver();

	private final Map<Long, List<TechFlow>> makers = new HashMap<>();

	private Scores(IDatabase db, boolean byFlow) {
		this.db = db;
		this.index = TechIndex.of(db);
		this.impacts = ImpactIndex.of(db);
		index.each((i, product) -> makers.computeIfAbsent(product.flowId(), id -> new ArrayList<>()).add(product));
		new ExchangeTable(db).each(e -> link(e, byFlow));
		this.demands = demands();
	}

	private void link(CalcExchange e, boolean byFlow) {
		if (!e.isLinkable())
			return;
		var provider = index.getProvider(e.defaultProviderId, e.flowId);
		var all = makers.getOrDefault(e.flowId, List.of());
		if (provider == null && byFlow && e.defaultProviderId == 0 && all.size() == 1) {
			provider = all.get(0);
		}
		if (provider != null) {
			index.putLink(LongPair.of(e.processId, e.exchangeId), provider);
		}
	}

	private void tell(PrintWriter out) {
		out.println("process,fact,of");
		var ids = new HashMap<Long, String>();
		for (var p : new ProcessDao(db).getDescriptors()) {
			ids.put(p.id, p.refId);
		}
		for (var p : ids.keySet()) {
			if (!demands.containsKey(p)) {
				out.printf("%s,no product,%n", ids.get(p));
			}
		}
		var allocation = AllocationIndex.create(db, index, AllocationMethod.USE_DEFAULT);
		new ExchangeTable(db).each(e -> {
			var products = index.getProviders(e.processId);
			var provider = e.isLinkable() ? index.providerOf(e) : null;
			if (provider != null) {
				out.printf("%s,takes from,%s%n", ids.get(e.processId), provider.provider().refId);
			} else if (e.isLinkable() && makers.containsKey(e.flowId)) {
				out.printf("%s,several makers,%n", ids.get(e.processId));
			}
			boolean shared = products.size() < 2
				|| products.stream().allMatch(p -> allocation.getFactor(p, e.exchangeId) != null);
			if (e.isAllocatable() && !shared) {
				out.printf("%s,no allocation,%n", ids.get(e.processId));
			}
		});
	}

	private void write(PrintWriter out) {
		out.println("process,indicator,value");
		if (impacts.isEmpty())
			return;
		var data = MatrixConfig.of(db, index)
			.withImpacts(impacts)
			.withAllocation(AllocationMethod.USE_DEFAULT)
			.build();
		var columns = columns(data);
		var intensities = intensities(data);
		for (var demand : demands.values()) {
			var scores = solve(demand, columns, intensities);
			for (int k = 0; k < scores.length; k++) {
				out.printf("%s,%s,%s%n", demand.techFlow().provider().refId, impacts.at(k).refId, scores[k]);
			}
		}
	}

	/** Only has processes with a product or a treated waste as their reference. */
	private Map<Long, Demand> demands() {
		var all = new HashMap<Long, Demand>();
		for (var process : db.getAll(Process.class)) {
			if (process.quantitativeReference == null)
				continue;
			var demand = Demand.of(CalculationSetup.of(process));
			if (index.of(demand.techFlow()) >= 0) {
				all.put(process.id, demand);
			}
		}
		return all;
	}

	private record Entry(int row, double value) {
	}

	private List<List<Entry>> columns(MatrixData data) {
		var columns = new ArrayList<List<Entry>>();
		for (int i = 0; i < index.size(); i++) {
			columns.add(new ArrayList<>());
		}
		data.techMatrix.iterate((row, col, value) -> columns.get(col).add(new Entry(row, value)));
		return columns;
	}

	/** The impacts of the elementary flows of each process. */
	private double[][] intensities(MatrixData data) {
		var all = new double[index.size()][impacts.size()];
		if (data.enviMatrix == null)
			return all;
		var factors = new ArrayList<List<Entry>>();
		for (int i = 0; i < data.enviIndex.size(); i++) {
			factors.add(new ArrayList<>());
		}
		data.impactMatrix.iterate((row, col, value) -> factors.get(col).add(new Entry(row, value)));
		data.enviMatrix.iterate((row, col, value) -> {
			for (var factor : factors.get(row)) {
				all[col][factor.row()] += factor.value() * value;
			}
		});
		return all;
	}

	private double[] solve(Demand demand, List<List<Entry>> columns, double[][] intensities) {
		var at = new int[columns.size()];
		var members = reachable(index.of(demand.techFlow()), columns, at);
		var a = new JavaMatrix(members.size(), members.size());
		for (int i : members) {
			for (var e : columns.get(i)) {
				a.set(at[e.row()] - 1, at[i] - 1, e.value());
			}
		}
		var scores = new double[impacts.size()];
		try {
			var scaling = solver.solve(a, 0, demand.value());
			for (int i : members) {
				for (int k = 0; k < scores.length; k++) {
					scores[k] += intensities[i][k] * scaling[at[i] - 1];
				}
			}
		} catch (SingularMatrixException e) {
			Arrays.fill(scores, Double.NaN);
		}
		return scores;
	}

	/** Lists what a column depends on, and numbers it from 1. */
	private List<Integer> reachable(int from, List<List<Entry>> columns, int[] at) {
		var members = new ArrayList<Integer>();
		var next = new ArrayDeque<Integer>();
		next.add(from);
		while (!next.isEmpty()) {
			int i = next.poll();
			if (at[i] > 0)
				continue;
			members.add(i);
			at[i] = members.size();
			for (var e : columns.get(i)) {
				next.add(e.row());
			}
		}
		return members;
	}
}
