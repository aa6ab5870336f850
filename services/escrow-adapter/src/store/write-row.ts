import { gatherRows } from '@holdfast/shared/postgres';
import { closeIntents, holdLeases } from '../lanes/index.js';
import { endTransactions, insertOpen } from '../transactions/sql.js';
import { askForDeployment, askOfEscrow, askOfOrder } from './ask-sql.js';
import { changeContracts } from './sql.js';

/** Goes out with the commit, together with what others write of the same kind. What ended makes room for what its account does next. */
export const writeRow = gatherRows([
  holdLeases,
  endTransactions,
  insertOpen,
  changeContracts,
  closeIntents,
  askForDeployment,
  askOfOrder,
  askOfEscrow,
]);
