import FirnFormats
import FirnTesting
import FirnTools
import NIOHTTP1
import Testing

@testable import FirnServe

/// Requests of a client to a server with a socket.
@Suite("Answers of the server")
struct ServerTests {
    @Test(
        "A query is answered in each format",
        arguments: [
            ("ndjson", "application/x-ndjson", "{\"id\":7}\n{\"id\":11}\n"),
            ("json", "application/json", "[\n{\"id\":7},\n{\"id\":11}\n]\n"),
            ("csv", "text/csv", "id\n7\n11\n"), ("tsv", "text/tab-separated-values", "id\n7\n11\n"),
        ])
    func formats(format: String, type: String, body: String) throws {
        let server = try TestServer()
        let query = TestServer.encoded("Person city == 'Oslo' SORT(id) | select(id)")
        for reply in [
            try server.ask("GET", "/v1/query?q=\(query)&format=\(format)"),
            try server.ask("GET", "/v1/query?q=\(query)", ["Accept": "text/html;q=1, \(type)"]),
        ] {
            #expect(reply.status == 200 && reply.headers["content-type"] == type)
            #expect(reply.text == body)
        }
    }

    @Test(
        "Columnar formats are the same files that the command writes",
        arguments: ["arrow", "parquet"])
    func columnar(format: String) throws {
        let server = try TestServer()
        let reply = try server.ask("GET", "/v1/query?q=Person&format=\(format)")
        #expect(reply.status == 200)
        let path = server.folder("out.\(format)")
        try Fixtures.write(reply.body, to: path)
        #expect(try TestServer.run(["query", path, "--count"]) == "{\"count\":3}\n")
    }

    @Test("Parameters, classes, limits and versions have the same meaning as for the command")
    func parameters() throws {
        let server = try TestServer()
        try server.write("Person id == 7 | set age = 42")
        func ages(_ rest: String) throws -> String {
            let query = TestServer.encoded("SORT(id) | select(age)")
            return try server.ask("GET", "/v1/query?q=\(query)&class=Person&format=csv\(rest)").text
        }
        #expect(try ages("") == "age\n42\n33\n52\n")
        #expect(try ages("&at=1") == "age\n41\n33\n52\n")
        #expect(try ages("&limit=1") == "age\n42\n")
        let query = TestServer.encoded("Person age > $low AND city == $city")
        let found = try server.ask(
            "GET", "/v1/query?q=\(query)&parameter=low%3A%3D50&parameter=city%3DOslo&format=csv")
        #expect(found.text == "id,name,age,city\n11,Al,52,Oslo\n")
    }

    @Test("An unchanged result is not sent again")
    func tags() throws {
        let server = try TestServer()
        let first = try server.ask("GET", "/v1/query?q=Person")
        let tag = try #require(first.headers["etag"])
        let second = try server.ask("GET", "/v1/query?q=Person", ["If-None-Match": tag])
        #expect(second.status == 304 && second.body.isEmpty && second.headers["etag"] == tag)
        let other = try server.ask("GET", "/v1/query?q=Person&limit=1", ["If-None-Match": tag])
        #expect(other.status == 200)
        try server.write("Person | set age = 1")
        let third = try server.ask("GET", "/v1/query?q=Person", ["If-None-Match": tag])
        #expect(third.status == 200 && third.headers["etag"] != tag)
        let now = try server.ask(
            "GET", "/v1/query?q=\(TestServer.encoded("Person age < 1 | select(now())"))")
        #expect(now.status == 200 && now.headers["etag"] == nil)
    }

    @Test("An invalid query returns a problem document with the position and hint of the command")
    func problems() throws {
        let server = try TestServer()
        let reply = try server.ask("GET", "/v1/query?q=\(TestServer.encoded("Person ag > 3"))")
        #expect(reply.status == 400)
        #expect(reply.headers["content-type"] == "application/problem+json")
        #expect(reply.text.contains(#""type":"urn:firn:query.unknown-property","status":400"#))
        #expect(reply.text.contains(#""at":{"line":1,"column":8,"length":2}"#))
        #expect(reply.text.contains(#""suggest":["age"]"#))
    }

    @Test(
        "The answer to an invalid request says what is valid",
        arguments: [
            ("/v1/query", 400, "the parameter q is missing"),
            ("/v1/query?q=", 400, "the parameter q is empty"),
            ("/v1/query?q=Person&q=Person", 400, "the parameter q is given twice"),
            ("/v1/query?q=Person&limt=3", 400, "did you mean limit?"),
            ("/v1/query?q=Person&limit=x", 400, "expected a number from 0"),
            ("/v1/query?q=Person&format=xml", 400, "expected ndjson, json"),
            ("/v1/query?q=%ff", 400, "invalid percent encoding"),
            ("/v1/query?q=Person&file=other.firn", 404, "name one of people.firn"),
            ("/v1/query?q=Person&at=99", 410, "version 99 does not exist yet"),
            ("/v1/query?q=--output%3D/tmp/firn-never", 400, "query"),
            ("/v1/query?q=%40/etc/passwd", 400, "query"),
            ("/v1/nothing", 404, "/v1/openapi.json"), ("/etc/passwd", 404, "there is nothing"),
            ("/../../etc/passwd", 404, "there is nothing"),
            ("/v1/observe?q=Person&since=@/etc/passwd", 400, "is not a position of a stream"),
        ])
    func wrong(target: String, status: Int, message: String) throws {
        let reply = try TestServer().ask("GET", target)
        #expect(reply.status == status, "\(target): \(reply.text)")
        #expect(reply.text.contains(message), "\(target): \(reply.text)")
    }

    @Test("Unsupported methods, media types and tokens have their own status")
    func statuses() throws {
        let server = try TestServer()
        let method = try server.ask("DELETE", "/v1/query?q=Person")
        #expect(method.status == 405 && method.headers["allow"] == "GET, HEAD")
        #expect(try server.ask("GET", "/v1/write").headers["allow"] == "POST")
        #expect(try server.ask("GET", "/v1/query?q=Person", ["Accept": "image/png"]).status == 406)
        #expect(try server.ask("GET", "/v1/files", ["Authorization": ""]).status == 401)
        #expect(try server.ask("GET", "/v1/files", ["Host": "evil.example"]).status == 421)
        #expect(try server.ask("GET", "/v1/files", ["Origin": "http://evil.example"]).status == 403)
        let head = try server.ask("HEAD", "/v1/query?q=Person")
        #expect(head.status == 200 && head.headers["content-length"] != "0")
    }

    /// Clients took the end of a body that was not there for the next response.
    @Test("HEAD has no body, and HTTP/1.0 no chunks")
    func heads() throws {
        let rows = (0..<5000).map { "\($0),name \($0),1,Oslo\n" }.joined()
        let server = try TestServer(rows: rows)
        for target in ["/v1/query?q=Person", "/v1/observe?q=Person"] {
            let connection = try HTTPConnection(port: server.port)
            try connection.send(server.head("HEAD", target))
            #expect(try connection.reply(hasBody: false).status == 200)
            #expect(try connection.rest().isEmpty)
        }
        let kept = try HTTPConnection(port: server.port)
        try kept.send(server.head("HEAD", "/v1/files") + server.head("GET", "/v1/files"))
        #expect(try kept.reply(hasBody: false).status == 200)
        #expect(try kept.reply().text.contains("people.firn"))
        let old = try HTTPConnection(port: server.port)
        try old.send(
            server.head("GET", "/v1/query?q=Person&format=csv").replacing(
                "HTTP/1.1", with: "HTTP/1.0"))
        let text = String(decoding: try old.rest(), as: UTF8.self)
        let body = text.split(separator: "\r\n\r\n", maxSplits: 1).last ?? ""
        #expect(
            body.hasPrefix("id,name,age,city\n0,name 0")
                && body.hasSuffix("4999,name 4999,1,Oslo\n"))
    }

    @Test("Only a page from an allowed origin may send cross-origin requests")
    func crossOrigin() throws {
        let server = try TestServer { $0.allowedOrigins = ["https://app.example"] }
        let ask = ["Origin": "https://app.example", "Authorization": ""]
        let preflight = try server.ask("OPTIONS", "/v1/write", ask)
        #expect(preflight.status == 204)
        #expect(preflight.headers["access-control-allow-origin"] == "https://app.example")
        let query = try server.ask(
            "GET", "/v1/query?q=Person", ["Origin": "https://app.example"])
        #expect(query.headers["access-control-allow-origin"] == "https://app.example")
        let other = try server.ask("OPTIONS", "/v1/write", ["Origin": "https://app.example.evil"])
        #expect(other.status == 403 && other.headers["access-control-allow-origin"] == nil)
    }

    @Test("Requests on one connection are answered in their order")
    func pipeline() throws {
        let server = try TestServer()
        let connection = try HTTPConnection(port: server.port)
        let queries = (0..<20).map { "/v1/query?q=Person&format=csv&limit=\($0 % 4)" }
        try connection.send(queries.map { server.head("GET", $0) }.joined())
        for number in 0..<20 {
            let rows = try connection.reply().text.split(separator: "\n").count
            #expect(rows == 1 + min(number % 4, 3))
        }
    }

    @Test("A long result is streamed, and the client may disconnect")
    func long() throws {
        let rows = (0..<60_000).map { "\($0),name \($0),\($0 % 90),Oslo\n" }.joined()
        let server = try TestServer(rows: rows)
        let reply = try server.ask("GET", "/v1/query?q=Person&format=csv")
        #expect(reply.headers["transfer-encoding"] == "chunked")
        #expect(reply.text.split(separator: "\n").count == 60_001)
        for _ in 0..<5 {
            let connection = try HTTPConnection(port: server.port, receiveByteCount: 4096)
            try connection.send(server.head("GET", "/v1/query?q=Person&format=csv"))
            _ = try connection.read(through: "\r\n\r\n")
        }
        // The workers of the clients that left are free again.
        #expect(try server.ask("GET", "/v1/query?q=Person&limit=1").status == 200)
    }

    @Test("Other resources are the output of their commands")
    func resources() throws {
        let server = try TestServer()
        try server.write("Person id == 7 | set age = 42")
        let log = try server.ask("GET", "/v1/versions?limit=1").text
        #expect(log == (try TestServer.run(["log", server.file, "-n", "1", "-f", "ndjson"])))
        let diff = try server.ask("GET", "/v1/diff?from=1").text
        #expect(
            diff == (try TestServer.run(["diff", server.file, "--from", "1", "-f", "ndjson"])))
        let schema = try server.ask("GET", "/v1/schema").text
        #expect(schema == (try TestServer.run(["schema", server.file, "-f", "json"])))
        #expect(try server.ask("GET", "/v1/explain?q=Person").text.contains("\"plan\""))
        #expect(try server.ask("GET", "/v1/stats").text.contains("\"classes\""))
        let found = try server.ask("GET", "/v1/complete?q=\(TestServer.encoded("Person ag"))").text
        #expect(found.contains(#""start":7"#) && found.contains(#""text":"age","shown":"age""#))
        let files = try server.ask("GET", "/v1/files").text
        #expect(files.contains(#""files":[{"name":"people.firn","version":2,"classes":1}]"#))
    }

    @Test("The API description contains every route")
    func description() throws {
        let server = try TestServer()
        let text = try server.ask("GET", "/v1/openapi.json").text
        for route in Router.standard.routes {
            #expect(text.contains("\"\(route.path)\":{\"\(route.method.rawValue.lowercased())\""))
            for parameter in route.parameters {
                #expect(text.contains("\"name\":\"\(parameter.name)\",\"in\":\"query\""))
            }
        }
    }

    /// A link with the token can be opened from anywhere; the page itself must not have it in its
    /// address, which ends in histories and pictures.
    @Test("The token of the URL becomes a cookie, which opens the page")
    func page() throws {
        let server = try TestServer()
        let entry = try server.ask("GET", "/?token=\(server.token)", ["Authorization": ""])
        #expect(entry.status == 303 && entry.headers["location"] == "/")
        let cookie = try #require(entry.headers["set-cookie"])
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
        let sent = ["Authorization": "", "Cookie": String(cookie.prefix { $0 != ";" })]
        let page = try server.ask("GET", "/", sent)
        #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
        let names = page.text.matches(of: /\/page\/[a-z.]+/).map { String($0.0) }
        #expect(names.count == 2)
        let policy = page.headers["content-security-policy"] ?? ""
        #expect(policy.contains("default-src 'none'; script-src 'self'; style-src 'self'"))
        for name in names + ["/page/grid.js"] {
            let file = try server.ask("GET", name, sent)
            #expect(file.status == 200 && !file.body.isEmpty)
            let again = try server.ask(
                "GET", name, sent.merging(["If-None-Match": file.headers["etag"] ?? ""]) { $1 })
            #expect(again.status == 304)
            #expect(try server.ask("GET", name, ["Authorization": ""]).status == 401)
        }
        #expect(
            try server.ask("GET", "/?token=0123456789abcdef", ["Authorization": ""]).status == 401)
        #expect(try server.ask("GET", "/v1/files", sent).status == 200)
    }

    @Test("Files that are not databases are served as they are, and cannot be written")
    func inputs() throws {
        let folder = TemporaryFolder()
        try Fixtures.write("id,n\n1,5\n2,6\n", to: folder("t.csv"))
        try Fixtures.write("[{\"a\":1}]", to: folder("u.json"))
        let server = try TestServer {
            $0.files += [folder("t.csv"), folder("u.json")]
            $0.isWritable = true
        }
        let files = try server.ask("GET", "/v1/files").text
        #expect(["people.firn", "t.csv", "u.json"].allSatisfy { files.contains("\"\($0)\"") })
        #expect(
            try server.ask("GET", "/v1/query?file=t.csv&q=T&format=csv").text == "id,n\n1,5\n2,6\n")
        #expect(try server.ask("GET", "/v1/query?file=u.json&q=U&format=csv").text == "a\n1\n")
        let write = try server.ask("POST", "/v1/write?file=t.csv", body: "T | delete")
        #expect(write.status == 403 && write.text.contains("firn create FILE --from INPUT"))
        #expect(
            try server.ask("POST", "/v1/write?file=people.firn", body: "Person | delete").status
                == 200)
    }

    @Test("A file that is replaced is opened again")
    func replaced() throws {
        let server = try TestServer()
        #expect(try server.ask("GET", "/v1/query?q=Person&format=csv").text.contains("Bo"))
        let other = server.folder("other.firn")
        try Fixtures.write("id,name\n1,New\n", to: server.folder("other.csv"))
        try TestServer.run(
            ["create", other, "--from", server.folder("other.csv"), "--class", "Person", "-q"])
        try Fixtures.rename(other, to: server.file)
        #expect(try server.ask("GET", "/v1/query?q=Person&format=csv").text == "id,name\n1,New\n")
        try Fixtures.remove(server.file)
        let missing = try server.ask("GET", "/v1/query?q=Person")
        #expect(missing.status == 404 && missing.text.contains("file.missing"))
        #expect(missing.text.contains("put it back, or start firn serve with its new name"))
    }

    @Test("A port in use is an error that suggests a free port but does not use it")
    func portInUse() throws {
        let server = try TestServer()
        var options = ServeOptions(files: [server.file])
        options.address = .port(host: "127.0.0.1", server.port)
        do {
            _ = try Server(options)
            Issue.record("two servers have one port")
        } catch {
            guard case .diagnostic(let diagnostic) = error else { throw error }
            #expect(diagnostic.message == "port \(server.port) is in use")
            #expect(diagnostic.remedy?.hasPrefix("the next free port is ") ?? false)
        }
    }
}
