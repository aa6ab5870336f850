import { runServiceProcess } from '../index.js';
import { noteService } from './note-service.js';

await runServiceProcess(noteService());
