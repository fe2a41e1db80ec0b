package peer

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	_ "github.com/pocketbase/pocketbase/migrations" // of its own tables
	"github.com/pocketbase/pocketbase/tools/security"
	"github.com/pocketbase/pocketbase/tools/types"
)

// Collection is the name of PocketBase's collection of records.
const Collection = "materials"

// PocketBase fills a fresh PocketBase in a folder with one record per line of a
// file of JSON objects, and serves it to everyone. The object stands in a JSON
// field beside its name, which is indexed to be sorted by.
func PocketBase(folder, items string) error {
	app := core.NewBaseApp(core.BaseAppConfig{DataDir: folder})
	if err := app.Bootstrap(); err != nil {
		return fmt.Errorf("bootstrap: %w", err)
	}
	if err := app.RunAllMigrations(); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if err := app.Save(collection()); err != nil {
		return fmt.Errorf("make collection: %w", err)
	}
	if err := fill(app, items); err != nil {
		return fmt.Errorf("fill: %w", err)
	}
	app.OnServe().BindFunc(func(e *core.ServeEvent) (err error) {
		e.InstallerFunc = nil // it would open a browser
		if e.Listener, err = listen(); err != nil {
			return err
		}
		if err := e.Next(); err != nil {
			return err
		}
		announce(e.Listener)
		return nil
	})
	return apis.Serve(app, apis.ServeConfig{HttpAddr: "127.0.0.1:0"})
}

func collection() *core.Collection {
	c := core.NewBaseCollection(Collection)
	c.ListRule = types.Pointer("")
	c.Fields.Add(&core.TextField{Name: "name"}, &core.JSONField{Name: "data"})
	c.AddIndex("idx_materials_name", false, "name", "")
	return c
}

func fill(app core.App, items string) error {
	file, err := os.Open(items)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	return app.RunInTransaction(func(app core.App) error {
		for lines.Scan() {
			var item struct{ Name string }
			if err := json.Unmarshal(lines.Bytes(), &item); err != nil {
				return err
			}
			record := dbx.Params{"id": security.PseudorandomString(15), "name": item.Name, "data": lines.Text()}
			if _, err := app.NonconcurrentDB().Insert(Collection, record).Execute(); err != nil {
				return err
			}
		}
		return lines.Err()
	})
}
