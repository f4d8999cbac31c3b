/** Whether the caller may see personal data (scope `pii:read`). */
export type PersonalData = 'shown' | 'masked';
