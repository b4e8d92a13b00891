import FirnEngine
import FirnFormats
import FirnQuery
import FirnSyntax
import FirnTools
import FirnValues
import NIOHTTP1

extension Route {
    static let complete: Route = Route(
        method: .GET, path: "/v1/complete", name: "complete",
        summary: "Return the words that can follow an unfinished query.",
        parameters: [
            Parameter(
                name: "q", meaning: "The query up to the cursor.", isRequired: true), .file,
            .className,
        ], types: ["application/json"], effort: .short
    ) { call throws(Problem) in
        let file = try call.file()
        let snapshot: DatabaseSnapshot
        do throws(StoreError) {
            snapshot = try call.service.files.database(file.path).snapshot()
        } catch {
            throw Problem(error)
        }
        let context = BindingContext(
            schema: snapshot.schema, defaultClass: call.arguments["class"], arguments: [:],
            now: snapshot.now)
        var environment = QueryCompletion.CommandEnvironment()
        environment.texts = { owner, property, prefix in
            snapshot.listedTexts(of: property, in: owner, startingWith: prefix)
        }
        let found = QueryCompletion(entry: .pipeline, in: context, environment)
            .completion(of: call.arguments["q"] ?? "")
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "completion")
        json.add("start", Int64(found.start))
        json.add(
            "candidates",
            found.candidates.map { candidate in
                var json = JSONObject()
                json.add("text", candidate.text)
                if let shown = candidate.shown { json.add("shown", shown) }
                if let note = candidate.note { json.add("note", note) }
                if let append = candidate.append { json.add("append", String(append)) }
                return json
            })
        call.exchange.respond(Response(.ok, type: "application/json", Array(json.text.utf8)))
    }
}
