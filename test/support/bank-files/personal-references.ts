/** Numbers of people, and a word of somebody's, which a bank wrote where the reader of its file finds references. */
export const PERSONAL_REFERENCES = [
  '9876543210',
  'ABCDE1234F',
  '499118665246',
  'vikram1985',
  'NL91ABNA0417164300',
  'P001234567',
  'DE89370400440532013000',
] as const;

/** The utrs of two payouts: one stands in the text of its line alone, one reads like a phone number. */
export const MATCHED_UTRS = ['UTRA2604100001', '9988776655'] as const;

/** What else stands in a reference's own place: digits there are the number of a payment, whatever else they may be. */
export const TOLD_REFERENCES = [
  'BANKREF1',
  'INV2604100017',
  '610010123457',
  '7123456789',
  '9123456789',
  '234123412346',
] as const;

/** An MT940 file with all of these, booked on 2026-04-10: the first line and the last are payouts with these utrs, of 100 and 50. */
export const PERSONAL_STATEMENT = [
  ':20:X',
  ':25:ACC-2',
  ':28C:1/1',
  ':60F:C260410INR1000,00',
  ':61:2604100410D100,00NTRFNONREF//BANKREF1',
  ':86:IMPS PAYOUT TO SOMEBODY WITH PHONE 9876543210',
  'UTRA2604100001 PAID',
  ':61:2604100410D7,00NTRFNONREF',
  ':86:PAN OF THE BENEFICIARY',
  'ABCDE1234F AADHAAR 499118665246',
  'vikram1985 OF THE SAME',
  ':61:2604100410D8,00NTRFEREF',
  'NL91ABNA0417164300',
  ':86:/EREF/INV2604100017/BENM//NAME/SOMEBODY',
  ':61:2604100410D6,00NTRFNONREF',
  'P001234567',
  ':86:/BENM//NAME/SOMEBODY ELSE',
  ':61:2604100410D9,00NTRF9123456789//7123456789',
  ':86:/EREF/DE89370400440532013000/KREF/234123412346/BENM//NAME/A THIRD',
  ':61:2604100410D5,00NTRF610010123457',
  ':86:UPI',
  ':61:2604100410D50,00NTRF9988776655',
  ':86:PAYOUT',
  ':62F:C260410INR815,00',
  '-',
  '',
].join('\r\n');
