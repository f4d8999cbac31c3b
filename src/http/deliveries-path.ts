/** Where deliveries come to (docs/spec/receiving.md). */
export const DELIVERIES_PATH = '/v1/webhooks';
