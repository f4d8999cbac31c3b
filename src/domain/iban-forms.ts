/**
 * What stands behind the two check digits of an IBAN of each country, as the registry of ISO 13616 writes it (`n` a digit, `a` a
 * letter, `c` either), and of countries whose banks use one that nobody registered.
 */
const FORMS = `
AD 8n12c     AE 19n       AL 8n16c     AO 21n       AT 16n       AZ 4a20c     BA 16n       BE 12n       BF 2c22n
BG 4a6n8c    BH 4a14c     BI 23n       BJ 2c22n     BR 23n1a1c   BY 4c4n16c   CF 23n       CG 23n       CH 5n12c
CI 2c22n     CM 23n       CR 18n       CV 21n       CY 8n16c     CZ 20n       DE 18n       DJ 23n       DK 14n
DO 4c20n     DZ 22n       EE 16n       EG 25n       ES 20n       FI 14n       FK 2a12n     FO 14n       FR 10n11c2n
GA 23n       GB 4a14n     GE 2a16n     GI 4a15c     GL 14n       GQ 23n       GR 7n16c     GT 24c       GW 2c19n
HN 4a20n     HR 17n       HU 24n       IE 4a14n     IL 19n       IQ 4a15n     IR 22n       IS 22n       IT 1a10n12c
JO 4a4n18c   KM 23n       KW 4a22c     KZ 3n13c     LB 4n20c     LC 4a24c     LI 5n12c     LT 16n       LU 3n13c
LV 4a13c     LY 21n       MA 24n       MC 10n11c2n  MD 20c       ME 18n       MG 23n       MK 3n10c2n   ML 2c22n
MN 16n       MR 23n       MT 4a5n18c   MU 4a19n3a   MZ 21n       NE 2c22n     NI 4a20n     NL 4a10n     NO 11n
OM 3n16c     PK 4a16c     PL 24n       PS 4a21c     PT 21n       QA 4a21c     RO 4a16c     RS 18n       RU 14n15c
SA 2n18c     SC 4a20n3a   SD 14n       SE 20n       SI 15n       SK 20n       SM 1a10n12c  SN 2c22n     SO 19n
ST 21n       SV 4a20n     TD 23n       TG 2c22n     TL 19n       TN 20n       TR 5n17c     UA 6n19c     VA 18n
VG 4a16n     XK 16n       YE 4a4n18c
`;

/** A kind of character for each one: `4a10n` has four of `a` and ten of `n`. */
const kindsOf = (form: string): string => {
  let [kinds, many] = ['', 0];
  for (const character of form) {
    const digit = Number.parseInt(character, 10);
    if (!Number.isNaN(digit)) many = many * 10 + digit;
    else [kinds, many] = [kinds + character.repeat(many), 0];
  }
  return kinds;
};

/** By the country's two letters, the kind of each character of one that stands behind the check digits: `n`, `a` or `c`. */
export const IBAN_FORMS: ReadonlyMap<string, string> = new Map(
  [...FORMS.matchAll(/([A-Z]{2}) (\w+)/g)].map(([, country = '', form = '']) => [country, kindsOf(form)]),
);
