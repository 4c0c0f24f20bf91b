/** UCI documents as values. */

/** value: the text of an option, or the items of a list. */
export type UciOption = { readonly name: string; readonly value: string | readonly string[] }
/** name null: anonymous. */
export type UciSection = {
  readonly type: string
  readonly name: string | null
  readonly options: readonly UciOption[]
}
export type UciPackage = { readonly name: string; readonly sections: readonly UciSection[] }
/** Packages by name. */
export type UciDoc = Readonly<Record<string, UciPackage>>

/** Where a value of a form is in a document; refusals by a device name it so. */
export type UciPlace = { readonly package: string; readonly section: string; readonly option: string | null }
