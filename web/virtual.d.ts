declare module 'virtual:screens' {
  const screens: readonly import('#schema/kit/screen').Screen[]
  export default screens
}
