import { runServiceProcess } from '../index.js';
import { sampleService } from './note-service.js';

await runServiceProcess(sampleService());
