// Runs before the first paint, so that neither the colour scheme nor the language flashes. A file, not an
// inline script: the content security policy allows only scripts from here.
;(() => {
  const scheme = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1]
  const dark = scheme ? scheme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  try {
    const language = localStorage.getItem('I18n')
    if (language === 'en-US' || language === 'zh-TW') document.documentElement.lang = language
  } catch {
    // Storage may be forbidden; the default language stands.
  }
  const fetchEarly = (path) => {
    const link = document.createElement('link')
    const style = path.endsWith('.css')
    link.rel = style ? 'preload' : 'modulepreload'
    if (style) link.as = 'style'
    link.href = path
    document.head.append(link)
  }
  const language = document.documentElement.lang
  // The build names the files: "zh-CN=/assets/a.js,/assets/b.js;zh-TW=…".
  const { texts = '', pages } = document.currentScript?.dataset ?? {}
  const own = texts.split(';').find((entry) => entry.startsWith(`${language}=`))
  for (const path of own?.split('=')[1]?.split(',') ?? []) fetchEarly(path)
  // The frame and the page at this path, unless the login comes first: otherwise each would wait for the one before.
  if (!pages || !/(?:^|; )token=/.test(document.cookie)) return
  const listed = JSON.parse(pages)
  const path = Object.keys(listed.pages).find((pattern) =>
    new RegExp(`^${pattern}/?$`).test(location.pathname),
  )
  if (path === undefined) return
  const [files, words] = listed.pages[path]
  const told = words.map((word) => listed.texts[language][word])
  for (const file of new Set([...listed.shell, ...files, ...listed.titles[language], ...told]))
    fetchEarly(`/${listed.files[file]}`)
})()
