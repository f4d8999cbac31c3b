// Loaded before the tests below, whose properties are then looked at ten times as often as `npm test` does.
import './ten-times.ts';
import '../api/fuzzed-requests.test.ts';
import '../domain/business-day.test.ts';
import '../ledger/record-delivery.test.ts';
import '../ledger/spooling-simulation.test.ts';
import '../periods/laws-of-months.test.ts';
import '../process/tampering.test.ts';
import '../projections/report/report-oracle.test.ts';
import '../read-models/report-oracle.test.ts';
import '../read-models/sqlite/match/large-items.test.ts';
import '../read-models/sqlite/match/match-table.test.ts';
import '../read-models/sqlite/projection-store.test.ts';
import '../read-models/sqlite/read-models.test.ts';
import '../sandbox/expectation.test.ts';
import '../tokens/simulation.test.ts';
import '../webhooks/hostile-bodies.test.ts';
