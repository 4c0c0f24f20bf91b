/** The scrolling content of the page, which can take the focus (shell.tsx). */
export const content = () => document.getElementById('content')

/** To the start of the page's content: by the skip link, after a navigation, and when the focused button is replaced. */
export const focusContent = () => content()?.focus({ preventScroll: true })
