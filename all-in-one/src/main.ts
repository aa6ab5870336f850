import { productVersion } from './product.js';
import { printLine } from './progress.js';

// A person sees at once that it starts; loading the rest takes longer.
printLine(`Holdfast ${productVersion}`);
const { runAllInOne } = await import('./run-all-in-one.js');
await runAllInOne();
