import FirnTesting
import Testing

@testable import FirnServe

@Suite("Writes through the server")
struct WritingTests {
    private func server() throws -> TestServer { try TestServer { $0.isWritable = true } }

    private func csv(_ server: TestServer) throws -> String {
        try server.ask("GET", "/v1/query?q=\(TestServer.encoded("Person SORT(id)"))&format=csv")
            .text
    }

    @Test("A server without --write changes nothing")
    func readOnly() throws {
        let server = try TestServer()
        let reply = try server.ask("POST", "/v1/write", body: "Person | delete")
        #expect(reply.status == 403 && reply.text.contains("firn serve --write"))
        #expect(try csv(server).split(separator: "\n").count == 4)
        // A query cannot write either, with or without.
        let query = TestServer.encoded("Person | delete")
        #expect(try server.ask("GET", "/v1/query?q=\(query)").status == 400)
        #expect(try self.server().ask("GET", "/v1/query?q=\(query)").status == 400)
    }

    @Test("A statement runs as one transaction with a report")
    func statement() throws {
        let server = try server()
        let reply = try server.ask(
            "POST", "/v1/write?note=because", body: #"Person city == "Oslo" | set age = age + 1"#)
        #expect(reply.status == 200 && reply.text.contains(#""version":2,"prev":1"#))
        #expect(reply.text.contains(#""updated":2"#))
        #expect(try csv(server) == "id,name,age,city\n7,Bo,42,Oslo\n9,Cy,33,Rome\n11,Al,53,Oslo\n")
        #expect(try server.ask("GET", "/v1/versions?limit=1").text.contains(#""note":"because""#))
    }

    @Test(
        "Records of each form are inserted",
        arguments: [
            ("application/x-ndjson", "{\"id\":1,\"name\":\"A\"}\n{\"id\":2,\"name\":\"B\"}\n"),
            ("application/json", "[{\"id\":1,\"name\":\"A\"},{\"id\":2,\"name\":\"B\"}]"),
            ("text/csv; charset=utf-8", "id,name\n1,A\n2,B\n"),
            ("text/tab-separated-values", "id\tname\n1\tA\n2\tB\n"),
        ])
    func records(type: String, body: String) throws {
        let server = try server()
        let reply = try server.ask(
            "POST", "/v1/write?class=Person", ["Content-Type": type], body: body)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(try csv(server).hasPrefix("id,name,age,city\n1,A,,\n2,B,,\n7,Bo"))
    }

    @Test("Operations, policies and returned objects work as in the command")
    func policies() throws {
        let server = try server()
        let type = ["Content-Type": "application/x-ndjson"]
        let upsert = try server.ask(
            "POST", "/v1/write?class=Person&policy=upsert&returning", type,
            body: #"{"id":7,"age":1}"#)
        #expect(upsert.text == "{\"id\":7,\"name\":\"Bo\",\"age\":1,\"city\":\"Oslo\"}\n")
        let deletion = try server.ask(
            "POST", "/v1/write?input=ops", type, body: #"{"op":"delete","class":"Person","id":7}"#)
        #expect(deletion.text.contains(#""deleted":1"#))
        let dry = try server.ask("POST", "/v1/write?dry-run", body: "Person | delete")
        #expect(dry.status == 200)
        #expect(try csv(server).split(separator: "\n").count == 3)
    }

    @Test(
        "A refused write changes nothing, and its error gives the reason",
        arguments: [
            ("application/x-ndjson", "{\"id\":7}", 409, "already has an object with id 7"),
            ("application/x-ndjson", "{\"id\":1,\"age\":\"x\"}", 422, "age"),
            ("application/x-ndjson", "{\"id\":1", 400, "the input ends inside a value"),
            ("text/plain", "Person | delete | delete", 400, "delete"),
            ("text/plain", "", 400, ""), ("text/plain", "Person", 400, ""),
            ("application/pdf", "x", 415, "send application/x-firn-statement"),
        ])
    func refused(type: String, body: String, status: Int, message: String) throws {
        let server = try server()
        let reply = try server.ask(
            "POST", "/v1/write?class=Person", ["Content-Type": type], body: body)
        #expect(reply.status == status, "\(reply.text)")
        #expect(reply.text.contains(message), "\(reply.text)")
        #expect(try server.ask("GET", "/v1/files").text.contains(#""version":1"#))
    }

    @Test("A condition on the version stops a write that would overwrite another write")
    func conditions() throws {
        let server = try server()
        let read = try server.ask("GET", "/v1/query?q=Person")
        let tag = try #require(read.headers["etag"])
        let first = try server.ask(
            "POST", "/v1/write", ["If-Match": tag], body: "Person | set age = 1")
        #expect(first.status == 200)
        for stale in [tag, "1", "\"1\""] {
            let second = try server.ask(
                "POST", "/v1/write", ["If-Match": stale], body: "Person | set age = 2")
            #expect(second.status == 412 && second.text.contains("is not at version 1 any more"))
        }
        let other = try server.ask("POST", "/v1/write", ["If-Match": "x"], body: "Person | delete")
        #expect(other.status == 400)
    }

    @Test("A request with an idempotency key is executed once, however often it is sent")
    func idempotency() throws {
        let server = try server()
        func send(_ key: String, _ id: Int) throws -> HTTPConnection.Reply {
            try server.ask(
                "POST", "/v1/write?class=Person",
                ["Content-Type": "application/x-ndjson", "Idempotency-Key": key],
                body: "{\"id\":\(id)}")
        }
        let first = try send("a", 1)
        let second = try send("a", 1)
        #expect(first.status == 200 && second.status == 200 && first.body == second.body)
        #expect(try send("a", 2).status == 422)
        let statement = try server.ask(
            "POST", "/v1/write", ["Idempotency-Key": "a"], body: "Person | delete")
        #expect(statement.status == 422, "a key is for one request")
        // Without the reply that is kept, the key of the object would be taken.
        #expect(try send("b", 1).status == 409)
        // A write that failed may be tried again.
        try server.write("Person id == 1 | delete")
        #expect(try send("b", 1).status == 200)
    }

    /// Versions of all databases begin with 1: the number alone says nothing about another file.
    @Test("A tag from another file under the same name is not accepted")
    func otherFile() throws {
        let server = try server()
        let tag = try #require(try server.ask("GET", "/v1/query?q=Person").headers["etag"])
        let other = try self.server()
        try Fixtures.rename(other.file, to: server.file)
        let read = try server.ask("GET", "/v1/query?q=Person", ["If-None-Match": tag])
        #expect(read.status == 200)
        let write = try server.ask(
            "POST", "/v1/write", ["If-Match": tag], body: "Person | delete")
        #expect(write.status == 412)
        let weak = read.headers["etag"].map { "\"x\", W/\($0)" } ?? ""
        #expect(try server.ask("GET", "/v1/query?q=Person", ["If-None-Match": weak]).status == 304)
        let any = try server.ask("POST", "/v1/write", ["If-Match": "*"], body: "Person | delete")
        #expect(any.status == 200)
    }

    @Test("Simultaneous requests with the same idempotency key are one write")
    func together() throws {
        let server = try server()
        let connections = try (0..<6).map { _ in try HTTPConnection(port: server.port) }
        let body = "Person | set age = age + 1"
        for connection in connections {
            try connection.send(
                server.head(
                    "POST", "/v1/write",
                    ["Idempotency-Key": "k", "Content-Length": "\(body.utf8.count)"]) + body)
        }
        let replies = try connections.map { try $0.reply().text }
        #expect(Set(replies).count == 1)
        #expect(try csv(server).contains("7,Bo,42,Oslo"))
    }
}
