import java.io.File;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

import org.apache.commons.math3.linear.SingularMatrixException;
import org.openlca.core.database.Derby;
import org.openlca.core.database.IDatabase;
import org.openlca.core.matrix.CalcExchange;
import org.openlca.core.matrix.Demand;
import org.openlca.core.matrix.MatrixConfig;
import org.openlca.core.matrix.MatrixData;
import org.openlca.core.matrix.cache.ExchangeTable;
import org.openlca.core.matrix.format.JavaMatrix;
import org.openlca.core.matrix.index.ImpactIndex;
import org.openlca.core.matrix.index.LongPair;
import org.openlca.core.matrix.index.TechIndex;
import org.openlca.core.matrix.solvers.JavaSolver;
import org.openlca.core.model.AllocationMethod;
import org.openlca.core.model.CalculationSetup;
import org.openlca.core.model.Process;
import org.openlca.jsonld.ZipStore;
import org.openlca.jsonld.input.JsonImport;

/**
 * Imports JSON-LD packs into a fresh database and calculates every process under
 * every impact category: for the amount of its quantitative reference, linked by
 * default providers only, with the allocation that each process names. openLCA
 * makes the matrices once for all processes; each is then solved with those that
 * it depends on, as a product system is.
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
		try (var db = Derby.createInMemory()) {
			for (int i = 1; i < args.length; i++) {
				try (var pack = ZipStore.open(new File(args[i]))) {
					new JsonImport(pack, db).run();
				}
			}
			try (var out = new PrintWriter(args[0], "UTF-8")) {
				new Scores(db).write(out);
			}
		}
	}

	private final IDatabase db;
	private final TechIndex index;
	private final ImpactIndex impacts;
	private final JavaSolver solver = new JavaSolver();

	private Scores(IDatabase db) {
		this.db = db;
		this.index = TechIndex.of(db);
		this.impacts = ImpactIndex.of(db);
		new ExchangeTable(db).each(this::link);
	}

	private void link(CalcExchange e) {
		if (!e.isLinkable())
			return;
		var provider = index.getProvider(e.defaultProviderId, e.flowId);
		if (provider != null) {
			index.putLink(LongPair.of(e.processId, e.exchangeId), provider);
		}
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
		for (var process : db.getAll(Process.class)) {
			if (process.quantitativeReference == null)
				continue;
			var demand = Demand.of(CalculationSetup.of(process));
			if (index.of(demand.techFlow()) < 0)
				continue;
			var scores = solve(demand, columns, intensities);
			for (int k = 0; k < scores.length; k++) {
				out.printf("%s,%s,%s%n", process.refId, impacts.at(k).refId, scores[k]);
			}
		}
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
			java.util.Arrays.fill(scores, Double.NaN);
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
