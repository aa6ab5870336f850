import { runServiceProcess } from '../run-service-process.js';
import { sampleService } from './sample-service.js';

await runServiceProcess(sampleService());
