/**
 * Build steps for a first visit on a slow connection. The texts that every page needs are listed in index.html, so
 * that they are fetched in parallel with the first script (before-paint.js knows the language); and every file is
 * stored maximally compressed, instead of being compressed quickly at each request.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXTS = /\/locales\/([\w-]+)\/(kit|session)\.json$/
const COMPRESSIBLE = /\.(js|css|json|svg)$/
/** Smaller files fit into one packet anyway. */
const WORTH_BYTES = 1_024

export function textsBesideTheScript(): Plugin {
  return {
    name: 'texts-beside-the-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const files: Record<string, string[]> = {}
        for (const part of Object.values(bundle ?? {})) {
          if (part.type !== 'chunk') continue
          const [, language] = TEXTS.exec(part.facadeModuleId ?? '') ?? []
          if (language) files[language] = [...(files[language] ?? []), `/${part.fileName}`]
        }
        const named = Object.entries(files).map(([language, paths]) => `${language}=${paths.join(',')}`)
        return html.replace('before-paint.js"', `before-paint.js" data-texts="${named.join(';')}"`)
      },
    },
  }
}

export function compressed(): Plugin {
  let folder = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved(config) {
      folder = join(config.build.outDir, config.build.assetsDir)
    },
    async closeBundle() {
      const names = (await readdir(folder)).filter((name) => COMPRESSIBLE.test(name))
      await Promise.all(
        names.map(async (name) => {
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
