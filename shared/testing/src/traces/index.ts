export { openTraceReceiver, type ReceivedSpan, type TraceReceiver } from './trace-receiver.js';
