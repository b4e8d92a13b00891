import FirnEngine
import FirnFormats
import FirnQuery
import FirnTools
import FirnValues
import NIOHTTP1

extension Route {
    static let files: Route = Route(
        method: .GET, path: "/v1/files", name: "files", summary: "Return the files of the server.",
        types: ["application/json"], effort: .short
    ) { call throws(Problem) in
        let files = call.service.files.files.map { file in
            var json = JSONObject()
            json.add("name", file.name)
            if let snapshot = try? call.service.files.database(file.path).snapshot() {
                json.add("version", Int64(clamping: snapshot.version.rawValue))
                json.add("classes", Int64(snapshot.schema.classes.count))
            }
            return json
        }
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "files")
        json.add("firn", FirnCommand.version)
        json.add("writable", call.service.options.isWritable)
        json.add("files", files)
        call.exchange.respond(Response(.ok, type: "application/json", Array(json.text.utf8)))
    }
}
