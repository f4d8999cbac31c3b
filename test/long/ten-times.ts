import { lookTenTimes } from '../support/runs.ts';

lookTenTimes();
