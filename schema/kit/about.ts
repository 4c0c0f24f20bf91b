/**
 * What a call is about, said in its declaration. `serve()` loads that object as the actor may see it, refuses what is not
 * there, gives it to the handler, and writes it to the operation log with its fields before and after [decisions/075].
 */

/** A kind of thing that calls are about. Where its rows are and who sees them is said once, by `stored` in the api. */
export type ObjectKind = { readonly kind: 'object'; readonly name: string }

/** @param name in the operation log, for ever: `device`, `alarmRule` */
export const object = (name: string): ObjectKind => ({ kind: 'object', name })

/** Instead of a body field: the user who calls. */
export const oneself = null

/** An object, and the body field that holds its id. */
export type Named = {
  readonly object: ObjectKind
  readonly by: string | typeof oneself
  /** Who names nobody means themselves. */
  readonly orOneself?: boolean
}

export type About =
  /** `part`: which of its editable parts, so that two edits of different parts are no conflict. */
  | (Named & { readonly does: 'edits'; readonly part: string })
  | (Named & { readonly does: 'deletes' | 'uses' | 'reads' })
  | {
      readonly does: 'makes'
      readonly object: ObjectKind
      /** The field of the reply that holds the new id; absent: it has none to tell. */
      readonly by?: string | undefined
      /** The body field that holds the name; read while there is no row to ask. */
      readonly named?: string | undefined
      /** What it is made for or in: its customer reads of it, too. */
      readonly of?: Named | undefined
    }
  /** The handler finds them and tells which; `by`: the body field of their ids, where they are named by ids. */
  | {
      readonly does: 'finds'
      readonly object: ObjectKind
      readonly by?: string | undefined
      readonly of?: Named | undefined
    }
  | { readonly does: 'nothing'; readonly why: string }

/** Changes fields of one object: the log holds what they were and what they are. */
export const edits = (object: ObjectKind, by: string | typeof oneself, part = 'main'): About => ({
  does: 'edits',
  object,
  by,
  part,
})
/** Ends one object: the log holds what it was. */
export const deletes = (object: ObjectKind, by: string): About => ({ does: 'deletes', object, by })
/** Does something with one object that its own fields do not show, such as a command to a device. */
export const uses = (object: ObjectKind, by: string | typeof oneself, orOneself = false): About => ({
  does: 'uses',
  object,
  by,
  orOneself,
})
/** Reads one object: the handler gets it, and nothing is logged. */
export const reads = (object: ObjectKind, by: string): About => ({ does: 'reads', object, by })
/** Makes an object: the log holds what it is. */
export const makes = (
  object: ObjectKind,
  { by, named, of }: { by?: string; named?: string; of?: Named },
): About => ({ does: 'makes', object, by, named, of })
/** Works on what only the handler can find: a filter's devices, the user of a link. It says so with `tell`. */
export const finds = (object: ObjectKind, { by, of }: { by?: string; of?: Named } = {}): About => ({
  does: 'finds',
  object,
  by,
  of,
})
/** @param why for whoever reads the declaration: where the log says it instead */
export const nothing = (why: string): About => ({ does: 'nothing', why })
