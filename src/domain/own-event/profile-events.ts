import * as t from 'io-ts';
import { sha256 } from '../sha256.ts';
import {
  ProfileNameText,
  StatementProfileData,
  type ProfileName,
  type StatementProfile,
} from '../statement-profile.ts';
import type { OwnKind } from './own-kind.ts';

/** Data of a `StatementProfileSet`: the profile that a name stands for from then on. */
export type StatementProfileSetData = {
  readonly name: ProfileName;
  readonly profile: StatementProfile;
  /** How many were set under the name before. */
  readonly before: number;
};

const Set: { readonly is: t.Is<StatementProfileSetData> } = t.type({
  name: ProfileNameText,
  profile: StatementProfileData,
  before: t.number,
});

export const STATEMENT_PROFILE_SET: OwnKind<'StatementProfileSet', StatementProfileSetData> = {
  type: 'StatementProfileSet',
  data: Set,
  stream: 'profile',
  about: ({ name }) => name,
  parts: ({ profile, before }) => [String(before), sha256(JSON.stringify(profile))],
};
