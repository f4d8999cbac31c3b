import { runs } from '../support/runs.ts';
import { lawsOfMonths } from './laws-of-months.ts';

lawsOfMonths('SQLite', async () => ({ env: {}, close: () => Promise.resolve() }), runs(1));
