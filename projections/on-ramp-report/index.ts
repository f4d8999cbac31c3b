export { onRampReport } from './on-ramp-report.ts';
