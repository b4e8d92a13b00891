import FirnTesting
import Testing

@testable import FirnServe

/// Clients that send too much, too slowly, or nonsense.
@Suite("Limits of the server")
struct LimitTests {
    @Test("A body that is too large is refused before it is read")
    func body() throws {
        let server = try TestServer {
            $0.isWritable = true
            $0.bodyByteCountMaximum = 1000
        }
        let declared = try HTTPConnection(port: server.port)
        try declared.send(server.head("POST", "/v1/write", ["Content-Length": "1000000000"]))
        #expect(try declared.reply().status == 413)
        #expect(try declared.rest().isEmpty)
        let chunked = try HTTPConnection(port: server.port)
        try chunked.send(server.head("POST", "/v1/write", ["Transfer-Encoding": "chunked"]))
        try chunked.send("400\r\n" + String(repeating: "x", count: 0x400) + "\r\n")
        #expect(try chunked.reply().status == 413)
    }

    @Test("The body of a request without the token, or from elsewhere, is not read")
    func foreignBody() throws {
        let server = try TestServer { $0.isWritable = true }
        let cases = [(["Authorization": ""], 401), (["Host": "evil.example"], 421)]
        for (method, (headers, status)) in ["POST", "GET"].flatMap({ method in
            cases.map { (method, $0) }
        }) {
            let connection = try HTTPConnection(port: server.port)
            var headers = headers
            headers["Content-Length"] = "1000000"
            try connection.send(server.head(method, "/v1/write", headers))
            #expect(try connection.reply().status == status)
            #expect(try connection.rest().isEmpty)
        }
    }

    @Test("Clients that do not read do not delay short requests")
    func notReading() throws {
        let rows = (0..<40_000).map { "\($0),a long name of \($0),1,Oslo\n" }.joined()
        let server = try TestServer(rows: rows) { $0.queryCountMaximum = 2 }
        let idle = try (0..<4).map { _ in
            try HTTPConnection(port: server.port, receiveByteCount: 4096)
        }
        for connection in idle { try connection.send(server.head("GET", "/v1/query?q=Person")) }
        #expect(try server.ask("GET", "/v1/files").status == 200)
        #expect(try server.ask("GET", "/v1/schema").status == 200)
    }

    @Test("A request that does not arrive in time is ended, however slowly its bytes come")
    func slowRequest() throws {
        let server = try TestServer { $0.requestNanoseconds = 300_000_000 }
        let silent = try HTTPConnection(port: server.port)
        #expect(try silent.rest().isEmpty)
        let headless = try HTTPConnection(port: server.port)
        try headless.send("GET /v1/files HTTP/1.1\r\nHost: a")
        #expect(try headless.rest().isEmpty)
        let bodiless = try HTTPConnection(port: server.port)
        try bodiless.send(server.head("POST", "/v1/write", ["Content-Length": "5"]) + "ab")
        #expect(try bodiless.reply().status == 408)
        // An answered connection may be used again, in the same time.
        let kept = try HTTPConnection(port: server.port)
        try kept.send(server.head("GET", "/v1/files"))
        #expect(try kept.reply().status == 200)
        #expect(try kept.rest().isEmpty)
    }

    @Test("A stream is not ended for being quiet")
    func quietStream() throws {
        let server = try TestServer { $0.requestNanoseconds = 200_000_000 }
        let stream = try server.observe("Person")
        _ = try stream.next()
        let silent = try HTTPConnection(port: server.port)
        #expect(try silent.rest().isEmpty, "the time of a request has passed")
        try server.write("Person id == 7 | set age = 3")
        #expect(try stream.next().type == "update")
    }

    @Test("Connections beyond the limit are refused, and the other connections work")
    func connections() throws {
        let server = try TestServer { $0.connectionCountMaximum = 3 }
        let open = try (0..<3).map { _ in try HTTPConnection(port: server.port) }
        for connection in open {
            try connection.send(server.head("GET", "/v1/files"))
            #expect(try connection.reply().status == 200)
        }
        let refused = try HTTPConnection(port: server.port)
        #expect(try refused.reply().status == 503)
    }

    @Test("Requests beyond the limit are refused with a time to retry")
    func queries() throws {
        let name = String(repeating: "n", count: 3000)
        let server = try TestServer(
            rows: (0..<3000).map { "\($0),\(name),1,Oslo\n" }.joined()
        ) {
            $0.queryCountMaximum = 1
            $0.waitingCountMaximum = 1
        }
        // The only worker waits for a client that does not read.
        let slow = try HTTPConnection(port: server.port, receiveByteCount: 4096)
        try slow.send(server.head("GET", "/v1/query?q=Person", ["Connection": "close"]))
        _ = try slow.read(through: "\r\n\r\n")
        let others = try (0..<4).map { _ in try HTTPConnection(port: server.port) }
        for other in others {
            try other.send(server.head("GET", "/v1/query?q=Person&limit=1"))
        }
        _ = try slow.rest()
        let replies = try others.map { try $0.reply() }
        #expect(replies.map(\.status).sorted() == [200, 503, 503, 503])
        for refused in replies where refused.status == 503 {
            #expect(refused.headers["retry-after"] == "1")
            #expect(refused.text.contains("--max-queries"))
        }
    }

    @Test(
        "Input that is not HTTP is refused, and the server continues",
        arguments: [
            "nonsense\r\n\r\n", "GET\r\n\r\n", "\u{0}\u{1}\u{2}", "GET / HTTP/9.9\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : x\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ])
    func nonsense(bytes: String) throws {
        let server = try TestServer { $0.requestNanoseconds = 500_000_000 }
        let connection = try HTTPConnection(port: server.port)
        try connection.send(bytes)
        connection.endSending()
        let answer = String(decoding: try connection.rest(), as: UTF8.self)
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
        #expect(try server.ask("GET", "/v1/files").status == 200)
    }

    @Test("Endless headers are refused")
    func headers() throws {
        let server = try TestServer()
        let connection = try HTTPConnection(port: server.port)
        try connection.send("GET /v1/files HTTP/1.1\r\n")
        let line = "X-Long: " + String(repeating: "x", count: 8000) + "\r\n"
        // The server may close while the client still sends.
        for _ in 0..<200 { if (try? connection.send(line)) == nil { break } }
        // It closes, and does not wait for more.
        let answer = String(decoding: try connection.rest(), as: UTF8.self)
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"))
        #expect(try server.ask("GET", "/v1/files").status == 200)
    }
}
