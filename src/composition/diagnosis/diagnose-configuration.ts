import type { DoctorCheck } from '../../cli/doctor-check.ts';
import { well, wrong } from '../../cli/doctor-check.ts';
import type { ConfigError, LoadedConfig } from '../../config/index.ts';
import { storeName } from '../store-name.ts';

const NAME = 'configuration';

/** A variable that is wrong: nothing else can be looked at, since it is not known where. */
export const wrongConfiguration = ({ variable, problem, cure }: ConfigError): DoctorCheck =>
  wrong(NAME, `${variable}: ${problem}\nnothing else was looked at`, `${variable}: ${cure}`);

/** What is configured, without anything that is secret; what is accepted is said by checks of its own. */
export const configurationCheck = ({ config, warnings }: LoadedConfig): DoctorCheck => {
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
