import { optionalSetting, ratioSetting, urlSetting } from './setting.js';

/** The same in every process, so that a trace has all of its spans. */
export const tracingSettings = {
  otelExporterOtlpEndpoint: optionalSetting(
    urlSetting({
      description:
        'The base URL of an OTLP/HTTP receiver, such as http://127.0.0.1:4318, which gets the traces. Left out: no traces.',
      protocols: ['http', 'https'],
    }),
  ),
  traceSampleRatio: ratioSetting({
    description: 'The share of requests that are traced, with all that follows from them',
    default: 1,
  }),
};
