/** Why a package's archive is refused: `package:unsafe.<reason>` fills `{reason}` of the refusal packageUnsafe. */
export type UnsafeReason =
  | 'path'
  | 'link'
  | 'throughLink'
  | 'special'
  | 'name'
  | 'entries'
  | 'size'
  | 'outside'
  | 'anyLink'
  | 'noFile'
