import FirnFormats
import FirnPlatform
import FirnTools
import FirnValues
import NIOHTTP1

extension Route {
    static let running: Route = Route(
        method: .GET, path: "/v1/running", name: "running",
        summary: "Return the requests that are running, with the progress of those that take long.",
        parameters: [
            Parameter(name: "id", meaning: "Only the request with this header X-Request-ID.")
        ],
        types: ["application/x-ndjson"], effort: .none
    ) { call throws(Problem) in
        let now = call.service.services.clock.monotonicNanoseconds()
        var lines = ""
        for entry in call.service.running.entries {
            if let wanted = call.arguments["id"] {
                guard let identifier = entry.identifier, identifier.hasSameBytes(as: wanted) else {
                    continue
                }
            }
            var json = JSONObject()
            json.add("v", 1)
            json.add("type", "running")
            if let identifier = entry.identifier { json.add("id", identifier) }
            json.add("path", entry.path)
            if let query = entry.query { json.add("q", query) }
            json.add("seconds", nanoseconds: now &- entry.start)
            if !entry.progress.isEmpty { json.add("progress", json: entry.progress) }
            lines += json.text + "\n"
        }
        call.exchange.respond(Response(.ok, type: "application/x-ndjson", Array(lines.utf8)))
    }
}
