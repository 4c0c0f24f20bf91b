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
