/** A configuration change for many devices: converted to each device's packages when its turn comes. */

/** The chosen values by page; of a page only the chosen fields. */
export type PageValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** What a task keeps, encrypted, under `change` of its arguments. */
export type ManyChange =
  | { readonly by: 'values'; readonly pages: PageValues; readonly confirmS?: number | undefined }
  /** Each device gets the values of its templates at that time. */
  | { readonly by: 'templates'; readonly confirmS?: number | undefined }
