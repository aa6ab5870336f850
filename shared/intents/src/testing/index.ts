export { aNewIntent, intentsProcess } from './intents-process.js';
export {
  type RunningBudgets,
  type TwoBudgets,
  type Window,
  aCall,
  isTaken,
  longWindowMs,
  refill,
  startBudgets,
} from './budgets.js';
