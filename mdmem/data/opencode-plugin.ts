// mdmem in OpenCode: what is known goes into the system prompt, and finished sessions are learned from.
// mdmem is run as a program of its own; whatever goes wrong there is nothing to OpenCode.
import { spawn, spawnSync } from "node:child_process"
import { homedir } from "node:os"
import { join } from "node:path"

const MDMEM = ["mdmem"]
const PATIENCE = 5000
const DATABASE = join(process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "opencode", "opencode.db")

export const MdmemPlugin = async ({ client, directory }) => {
  const briefs = new Map()
  const idle = new Map()

  const payload = (session, more) => JSON.stringify({ session_id: session, cwd: directory, ...more })
  const args = (event) => [...MDMEM.slice(1), "hook", event, "--agent", "opencode"]

  const ask = (event, input) =>
    new Promise((resolve) => {
      try {
        const child = spawn(MDMEM[0], args(event), { cwd: directory, stdio: ["pipe", "pipe", "ignore"] })
        let told = ""
        const timer = setTimeout(() => child.kill(), PATIENCE)
        child.on("error", () => resolve(""))
        child.on("close", () => {
          clearTimeout(timer)
          resolve(told)
        })
        child.stdin.on("error", () => {})
        child.stdout.on("data", (piece) => (told += piece))
        child.stdin.end(input)
      } catch {
        resolve("")
      }
    })

  const brief = (session) => {
    if (!briefs.has(session)) briefs.set(session, ask("session-start", payload(session, { source: "startup" })))
    return briefs.get(session)
  }

  const transcript = (session, lasted) => ({
    transcript_path: `${DATABASE}#${session}`,
    transcript_size: lasted,
  })

  const lasted = async (session) => {
    try {
      const { data } = await client.session.get({ path: { id: session } })
      return data.parentID ? 0 : 1 + Math.max(0, Math.floor((data.time.updated - data.time.created) / 1000))
    } catch {
      return 0
    }
  }

  const end = () => {
    for (const [session, size] of idle) {
      idle.delete(session)
      const input = payload(session, transcript(session, size))
      spawnSync(MDMEM[0], args("session-end"), { cwd: directory, input, stdio: ["pipe", "ignore", "ignore"], timeout: PATIENCE })
    }
  }
  process.once("exit", end)

  return {
    event: async ({ event }) => {
      if (event.type !== "session.idle") return
      const session = event.properties.sessionID
      const size = await lasted(session)
      if (!size) return
      idle.set(session, size)
      await ask("stop", payload(session, transcript(session, size)))
    },
    "experimental.chat.system.transform": async (input, output) => {
      if (!input.sessionID) return
      const told = await brief(input.sessionID)
      if (told) output.system.push(told)
    },
    dispose: async () => end(),
  }
}
