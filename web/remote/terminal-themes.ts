/** Colours of xterm, which knows no style sheet. */
export const terminalThemes = {
  light: {
    background: '#ffffff',
    foreground: '#1f2329',
    cursor: '#1f2329',
    cursorAccent: '#ffffff',
    selectionBackground: '#cfe1fa',
  },
  dark: { background: '#12161c', foreground: '#e6e9ef', cursor: '#e6e9ef', selectionBackground: '#303846' },
}

/** What is around the characters: another shade there would look like a frame. */
export const frameOf = (scheme: keyof typeof terminalThemes) => ({
  background: terminalThemes[scheme].background,
})
