package test

import "testing"

// TestContract runs everything that does not need its own server on one service
// per engine. Each section uses its own teams.
func TestContract(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newStandardService(t, e)
		for _, section := range []struct {
			name string
			run  func(t *testing.T, s *service)
		}{
			{"order of checks", testOrderOfChecks},
			{"keys", testKeys},
			{"teams", testTeams},
			{"versions", testVersions},
			{"routes", testRoutes},
			{"bodies", testBodies},
			{"body sizes", testBodySizes},
			{"parameters of pulls", testParametersOfPulls},
			{"repeated headers", testRepeatedHeaders},
			{"compressed bodies", testCompressedBodies},
			{"allowed methods", testAllowedMethods},
			{"missing records", testMissingRecords},
			{"ids in any case", testIDsInAnyCase},
			{"methods", testMethods},
			{"visibility", testVisibility},
			{"masks", testMasks},
			{"modes", testModes},
			{"property pull", testPropertyPull},
			{"process pull", testProcessPull},
			{"impacts pull", testImpactsPull},
			{"datapoint pull", testDatapointPull},
			{"too few credits", testTooFewCredits},
			{"large costs", testLargeCosts},
			{"maxCredits", testMaxCredits},
			{"quotes", testQuotes},
			{"order of a pull's checks", testOrderOfPullChecks},
			{"user count of the older version", testOlderUserCount},
			{"idempotency", testIdempotency},
			{"ledger", testLedger},
			{"grants", testGrants},
			{"entity tags", testEntityTags},
			{"compression", testCompression},
			{"racing pulls", testRacingPulls},
			{"open paths", testOpenPaths},
			{"GraphQL operations", testGraphQLOperations},
			{"GraphQL refusals", testGraphQLRefusals},
			{"GraphQL mirrors REST", testGraphQLMirrorsREST},
			{"GraphQL pulls", testGraphQLPulls},
			{"GraphQL pulls as REST does", testGraphQLPullsAsREST},
			{"GraphQL idempotency", testGraphQLIdempotency},
			{"GraphQL order of checks", testGraphQLOrderOfChecks},
			{"GraphQL over HTTP", testGraphQLOverHTTP},
			{"GraphQL persisted queries", testPersistedQueries},
		} {
			t.Run(section.name, func(t *testing.T) {
				t.Parallel()
				section.run(t, s)
			})
		}
	})
}
