/**
 * Build steps for a first visit. index.html lists the texts that every page needs and the files of each page, so that
 * they are fetched in parallel with the first script instead of one step after the other (public/before-paint.js
 * knows the language and the path); and every file is stored maximally compressed, instead of being compressed quickly
 * at each request.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'
import { languages } from '#schema/kit/refusal'
import type { Screen } from '#schema/kit/screen'
import { readScreens } from './declared-screens.ts'
import { shellTexts } from './shell/shell-texts.ts'

const FIRST_TEXTS = ['kit', 'session']
const COMPRESSIBLE = /\.(html|js|css|json|svg)$/
/** Smaller files fit into one packet anyway. */
const WORTH_BYTES = 1_024

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: ReadonlySet<string> } }

const chunks = (bundle: Bundle) =>
  Object.values(bundle).filter((part): part is Chunk => part.type === 'chunk')

/** The chunk whose module ends so, with everything that it imports statically. */
function filesOf(bundle: Bundle, module: string, found = new Set<string>()): Set<string> {
  const reach = (chunk: Chunk) => {
    if (found.has(chunk.fileName)) return
    found.add(chunk.fileName)
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style)
    for (const next of chunk.imports) {
      const part = bundle[next]
      if (part?.type === 'chunk') reach(part)
    }
  }
  const chunk = chunks(bundle).find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
  if (chunk) reach(chunk)
  return found
}

/** The words that a page's module lists; only preloading depends on it. */
async function wordsOf({ name }: Screen): Promise<string[]> {
  const read = (folder: string) =>
    readFile(new URL(`${folder}/${name}.tsx`, import.meta.url), 'utf8').catch(() => '')
  const source = (await read('pages')) || (await read('monitor-pages'))
  const [, listed = ''] = /export const words: readonly Word\[\] = \[([^\]]*)\]/.exec(source) ?? []
  return [...listed.matchAll(/'([^']+)'/g)].map(([, word]) => word ?? '')
}

/** Names are numbered: each is in many lists. */
async function fileLists(bundle: Bundle) {
  const files: string[] = []
  const numbered = (names: Iterable<string>) =>
    [...names].map((name) => {
      if (!files.includes(name)) files.push(name)
      return files.indexOf(name)
    })
  const first = filesOf(bundle, '/web/index.html')
  const more = (module: string) => [...filesOf(bundle, module)].filter((name) => !first.has(name))
  const words: string[] = []
  const pages: Record<string, readonly [files: number[], words: number[]]> = {}
  for (const screen of await readScreens()) {
    const own = [...more(`/web/pages/${screen.name}.tsx`), ...more(`/web/monitor-pages/${screen.name}.tsx`)]
    if (own.length === 0 || screen.name === 'login') continue
    const texts = [...shellTexts, ...(await wordsOf(screen))].map((word) => {
      if (!words.includes(word)) words.push(word)
      return words.indexOf(word)
    })
    pages[screen.path.replaceAll(/:\w+/g, '[^/]+')] = [numbered(own), texts]
  }
  const shell = numbered(more('/web/shell/routes.tsx'))
  const text = (language: string, word: string) => more(`/locales/${language}/${word}.json`)
  const texts = Object.fromEntries(
    languages.map((language) => [language, numbered(words.flatMap((word) => text(language, word)))]),
  )
  const titles = Object.fromEntries(
    languages.map((language) => {
      const index = more(`/web/kit/words/${language.toLowerCase()}.ts`)
      return [language, numbered([...more(`virtual:screen-titles/${language}`), ...index])]
    }),
  )
  return { files, shell, pages, texts, titles }
}

export function filesBesideTheScript(): Plugin {
  return {
    name: 'files-beside-the-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        if (!bundle) return html
        const named = languages.map((language) => {
          const paths = FIRST_TEXTS.flatMap((word) => [
            ...filesOf(bundle, `/locales/${language}/${word}.json`),
          ])
          return `${language}=${paths.map((path) => `/${path}`).join(',')}`
        })
        const pages = JSON.stringify(await fileLists(bundle)).replaceAll('"', '&quot;')
        return html.replace(
          'before-paint.js"',
          `before-paint.js" data-texts="${named.join(';')}" data-pages="${pages}"`,
        )
      },
    },
  }
}

export function compressed(): Plugin {
  let folders: string[] = []
  return {
    name: 'compressed',
    apply: 'build',
    configResolved({ build }) {
      folders = [build.outDir, join(build.outDir, build.assetsDir)]
    },
    async closeBundle() {
      for (const folder of folders)
        await Promise.all(
          (await readdir(folder))
            .filter((name) => COMPRESSIBLE.test(name))
            .map(async (name) => {
              const bytes = await readFile(join(folder, name))
              if (bytes.length < WORTH_BYTES) return
              const small = await promisify(brotliCompress)(bytes, {
                params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
              })
              await writeFile(join(folder, `${name}.br`), small)
            }),
        )
    },
  }
}
