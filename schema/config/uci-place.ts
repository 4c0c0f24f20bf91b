/** Where a value of a form is in a document; refusals by a device name it so. */
export type UciPlace = { readonly package: string; readonly section: string; readonly option: string | null }
