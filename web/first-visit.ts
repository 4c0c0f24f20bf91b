/**
 * Build steps for a first visit. The files and texts of each page are listed for the server, so that a browser fetches
 * the files in parallel with the first script instead of one step after the other, and has the texts at once; and every file is stored maximally
 * compressed, instead of being compressed quickly at each request.
 */
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'
import { languages } from '#schema/kit/refusal'
import { FIRST_FILES, type FirstFiles } from '#schema/platform/first-files'
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
async function wordsOf(name: string): Promise<string[]> {
  const read = (folder: string) =>
    readFile(new URL(`${folder}/${name}.tsx`, import.meta.url), 'utf8').catch(() => '')
  const source = (await read('pages')) || (await read('monitor-pages'))
  const [, listed = ''] = /export const words: readonly Word\[\] = \[([^\]]*)\]/.exec(source) ?? []
  return [...listed.matchAll(/'([^']+)'/g)].map(([, word]) => word ?? '')
}

/** For each page: what its first visit loads beside the first script. */
async function fileLists(bundle: Bundle): Promise<FirstFiles> {
  const first = filesOf(bundle, '/web/index.html')
  const more = (module: string) =>
    [...filesOf(bundle, module)].filter((name) => !first.has(name)).map((name) => `/${name}`)
  const shell = more('/web/shell/routes.tsx')
  const pages: FirstFiles['pages'] = []
  for (const { name, path } of await readScreens()) {
    const own = [...more(`/web/pages/${name}.tsx`), ...more(`/web/monitor-pages/${name}.tsx`)]
    if (own.length === 0 || name === 'login') continue
    pages.push({
      path: `^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`,
      files: [...new Set([...shell, ...own])],
      words: [...FIRST_TEXTS, ...shellTexts, ...(await wordsOf(name))],
    })
  }
  const titles = Object.fromEntries(
    languages.map((language) => [language, more(`virtual:screen-titles/${language}`)]),
  )
  return { words: FIRST_TEXTS, titles, pages }
}

/**
 * The list of files, which the server names in the page that it returns [api/console-page.ts], is written when all of them are there: a build
 * that was interrupted has none, and is repeated [launch/web-build.ts]. Otherwise a file that was cut off in the middle would stay.
 */
export function forFirstVisits(): Plugin {
  let out = ''
  let folders: string[] = []
  let lists: string | undefined
  return {
    name: 'for-first-visits',
    apply: 'build',
    configResolved({ build }) {
      out = build.outDir
      folders = [out, join(out, build.assetsDir)]
    },
    async writeBundle(_, bundle) {
      lists = JSON.stringify(await fileLists(bundle))
    },
    async closeBundle() {
      // Of a build that failed.
      if (lists === undefined) return
      for (const folder of folders) await compress(folder)
      const list = join(out, FIRST_FILES)
      await writeFile(`${list}.new`, lists)
      await rename(`${list}.new`, list)
    },
  }
}

const compress = async (folder: string) =>
  Promise.all(
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
