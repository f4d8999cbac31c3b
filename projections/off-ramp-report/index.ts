export { offRampReport } from './off-ramp-report.ts';
