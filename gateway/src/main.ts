import { runGatewayProcess } from './run-gateway-process.js';

await runGatewayProcess();
