import { openSqliteReadModels } from '../../support/sqlite-read-models.ts';
import { readModelsContract } from '../read-models-contract.ts';

readModelsContract('SQLite', openSqliteReadModels);
