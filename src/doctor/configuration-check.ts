import type { ConfigError } from '../config/config-error.ts';
import type { Config } from '../config/config.ts';
import { well, wrong, type DoctorCheck } from './doctor-check.ts';
import { storeName } from './store-name.ts';

const NAME = 'configuration';

/** A variable that is wrong: nothing else can be looked at, since it is not known where. */
export const wrongConfiguration = ({ variable, problem, cure }: ConfigError): DoctorCheck =>
  wrong(NAME, `${variable}: ${problem}\nnothing else was looked at`, `${variable}: ${cure}`);

/** What is configured, without anything that is secret; what is accepted is said by checks of its own. */
export const configurationCheck = (config: Config, warnings: readonly string[]): DoctorCheck => {
  const { host, port, eventStore, readModel, businessTimeZone, webhooks } = config;
  return well(
    NAME,
    [
      `events in ${storeName(eventStore)}`,
      `read models in sqlite:${readModel.file}`,
      `listens on ${host}, port ${port === 0 ? '0: any that is free' : port}; business days in ${businessTimeZone}`,
      `signatures in ${webhooks.signatureHeader}, over the ${webhooks.signedForm === 'json' ? 'JSON' : 'bytes'} of the body`,
      ...warnings,
    ].join('\n'),
  );
};
