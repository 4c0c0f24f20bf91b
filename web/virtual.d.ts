/** Plain values that web/declared-values.ts extracts from `schema/` when the console is built. */
declare module 'virtual:screens' {
  const screens: readonly import('#schema/kit/screen').Screen[]
  export default screens
}
declare module 'virtual:screen-titles' {
  const titles: Readonly<
    Record<
      import('#schema/kit/refusal').Language,
      () => Promise<{ default: Readonly<Record<string, string>> }>
    >
  >
  export default titles
}
declare module 'virtual:forms' {
  /** By the name of the call; for calls that write or upload and need a login. */
  const forms: Readonly<Record<string, import('./kit/form/forms.ts').DeclaredForm>>
  export default forms
}
declare module 'virtual:open-forms' {
  /** The same for calls that need no login. */
  const forms: Readonly<Record<string, import('./kit/form/forms.ts').DeclaredForm>>
  export default forms
}
declare module 'virtual:commands' {
  const commands: readonly import('./command/commands.ts').DeclaredCommand[]
  export default commands
}
declare module 'virtual:config-pages' {
  /** In the order of their places. */
  const pages: readonly import('./config/config-pages.ts').DeclaredPage[]
  export default pages
}
declare module 'virtual:lists' {
  /** Lists that a screen shows, with the choices of their filters. */
  const lists: readonly import('./shell/palette-grammar.ts').DeclaredList[]
  export default lists
}
