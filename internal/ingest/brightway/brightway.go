// Package brightway reads inventories that are kept for Brightway: workbooks and
// CSV files in the layout of its Excel importer, free-form blocks that begin with
// Database, Activity, Exchanges and Parameters, and flat tables of exchanges.
package brightway
