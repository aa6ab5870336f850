import { runServiceProcess } from '../index.js';
import { sampleService } from './sample-service.js';

await runServiceProcess(sampleService());
