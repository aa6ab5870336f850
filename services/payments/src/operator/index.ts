// For the commands of operators: nothing here loads what serves.
export { latestSolvency, type ReportedSolvency } from '../store/latest-solvency.js';
