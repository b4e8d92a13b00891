import FirnTesting
import Testing

@testable import FirnServe

@Suite("Streams of the server")
struct StreamTests {
    @Test("A stream begins with the result, and has an event for each commit")
    func changes() throws {
        let server = try TestServer()
        let stream = try server.observe("Person age > 40")
        let first = try stream.next()
        #expect(first.type == "initial" && first.number("count") == 2 && first.id != nil)
        try server.write("Person id == 9 | set age = 60")
        let second = try stream.next()
        #expect(second.type == "update" && second.number("version") == 2)
        #expect(second.data.contains(#""reason":"entered""#))
        try server.write("Person | delete")
        #expect(try stream.next().number("count") == 0)
    }

    @Test("A client continues after its last event, and misses nothing")
    func resume() throws {
        let server = try TestServer()
        var stream = try server.observe("Person")
        var last = try stream.next()
        var seen: [Int] = []
        for age in 1...12 {
            try server.write("Person id == 7 | set age = \(age)")
            // Every third time, the client is away while the commit happens.
            if age % 3 == 0 {
                stream = try server.observe("Person", after: last.id)
                #expect(try stream.next().type == "resume")
            }
            last = try stream.next()
            #expect(last.number("prev") == age && last.number("version") == age + 1)
            seen.append(age)
        }
        #expect(seen == Array(1...12))
    }

    @Test("A stream continues when its file is compacted")
    func compacted() throws {
        let server = try TestServer()
        let stream = try server.observe("Person")
        _ = try stream.next()
        try TestServer.run(["compact", server.file, "-q"])
        try server.write("Person id == 9 | set age = 60")
        #expect(try stream.next().data.contains(#""age":60"#))
        #expect(try server.ask("GET", "/v1/query?q=Person+id+==+9&format=csv").text.contains("60"))
    }

    @Test("A stream ends with an error that says what to do when its file is replaced or removed")
    func replacedOrRemoved() throws {
        let server = try TestServer()
        var stream = try server.observe("Person")
        _ = try stream.next()
        let other = server.folder("other.firn")
        try Fixtures.write("id,name\n1,New\n", to: server.folder("other.csv"))
        try TestServer.run(
            ["create", other, "--from", server.folder("other.csv"), "--class", "Person", "-q"])
        try Fixtures.rename(other, to: server.file)
        var end = try stream.next()
        #expect(end.type == "error" && end.number("status") == 410)
        #expect(end.data.contains("connect again without Last-Event-ID"))

        stream = try server.observe("Person")
        #expect(try stream.next().data.contains("New"))
        try Fixtures.remove(server.file)
        end = try stream.next()
        #expect(end.type == "error" && end.number("status") == 404)
        #expect(end.data.contains("put it back, or start firn serve with its new name"))
    }

    @Test("Clients with the same query receive the same events, wherever they began")
    func shared() throws {
        let server = try TestServer()
        let first = try server.observe("Person")
        let start = try first.next()
        try server.write("Person id == 7 | set age = 1")
        let change = try first.next()
        let second = try server.observe("Person")
        #expect(try second.next().number("version") == 2)
        let third = try server.observe("Person", after: start.id)
        #expect(try third.next().type == "resume")
        #expect(try third.next().number("version") == change.number("version"))
        for age in 2...9 {
            try server.write("Person id == 7 | set age = \(age)")
            let events = try [first, second, third].map { try $0.next() }
            #expect(events[0] == events[1] && events[1] == events[2])
        }
    }

    @Test("A client that reads too slowly is notified, and gets the rest in one event")
    func slow() throws {
        let server = try TestServer(
            rows: (0..<400).map { "\($0),\(String(repeating: "n", count: 900)),1,Oslo\n" }.joined())
        let slow = try server.observe("Person", "&before", receiveByteCount: 4096)
        #expect(try slow.next().type == "initial")
        let fast = try server.observe("Person | count")
        _ = try fast.next()
        var version = 1
        while version < 60 {
            try server.write("Person | set name = name + \"\(version % 10)\"")
            version += 1
        }
        var last = 1
        var isTold = false
        while last < version {
            let event = try slow.next()
            if event.type == "coalesced" { isTold = true }
            guard event.type == "update" else { continue }
            #expect(event.number("prev") == last, "no change is missing")
            last = event.number("version") ?? .max
        }
        #expect(isTold && last == version)
    }

    @Test("The shutdown of the server is the last event of each stream")
    func ending() throws {
        let server = try TestServer()
        let stream = try server.observe("Person")
        _ = try stream.next()
        let other = try server.observe("Person age > 3")
        _ = try other.next()
        server.server.end()
        for stream in [stream, other] {
            let event = try stream.next()
            #expect(event.type == "end" && event.data.contains("terminated"), "\(event)")
            #expect(throws: TestFailure.self) { _ = try stream.next() }
        }
    }

    @Test("A change to the classes restarts the stream")
    func schema() throws {
        let server = try TestServer()
        let stream = try server.observe("Person")
        _ = try stream.next()
        try TestServer.run(["alter", server.file, "add Person.x Int?", "-q"])
        var types: [String] = []
        while types.last != "initial" { types.append(try stream.next().type) }
        #expect(types.first == "reset")
        try server.write("Person id == 7 | set x = 5")
        #expect(try stream.next().data.contains(#""changed":["x"]"#))
    }

    /// Many clients come back at the same moment, as after the server was started again.
    @Test("Many clients that connect at the same time all get their stream")
    func together() throws {
        let server = try TestServer { $0.waitingCountMaximum = 4 }
        let streams = try (0..<300).map { _ in try server.observe("Person") }
        for stream in streams { #expect(try stream.next().type == "initial") }
        try server.write("Person id == 7 | set age = 1")
        for stream in streams { #expect(try stream.next().number("version") == 2) }
    }

    /// Only the first row of a commit was delivered: the position had moved to its version, and the
    /// others seemed to be known.
    @Test("Every row of a commit arrives, even if a client reconnects in the middle")
    func rows() throws {
        let server = try TestServer()
        let stream = try server.observe("Person", "&shape=rows&initial=none")
        _ = try stream.next()
        try server.write("Person | set age = age + 1")
        let first = try (0..<3).map { _ in try stream.next() }
        #expect(first.map { $0.number("id") } == [7, 9, 11])
        #expect(first[0].id == first[1].id && first[1].id != first[2].id)
        #expect(first[2].data.contains(#""commit":true"#))
        // The whole commit comes again after its first row.
        let again = try server.observe("Person", after: first[0].id, "&shape=rows")
        #expect(try again.next().type == "resume")
        #expect(try (0..<3).map { _ in try again.next().number("id") } == [7, 9, 11])
        try server.write("Person id == 9 | delete")
        #expect(try stream.next().data == again.next().data)
    }

    @Test("Too many distinct queries are refused, but equal queries share a stream")
    func limit() throws {
        let server = try TestServer { $0.streamCountMaximum = 2 }
        let streams = try (1...2).map { try server.observe("Person age > \($0)") }
        for stream in streams { _ = try stream.next() }
        let equal = try server.observe("Person age > 1")
        #expect(try equal.next().type == "initial")
        let third = try server.observe("Person age > 3")
        _ = try third.next()
        let error = try third.next()
        #expect(error.type == "error" && error.data.contains("--max-streams"))
    }

    @Test("All classes, other shapes and only some operations can be observed")
    func shapes() throws {
        let server = try TestServer()
        let all = try server.observe("")
        let rows = try server.observe("Person", "&shape=rows&ops=delete")
        let first = try all.next()
        #expect(first.type == "initial")
        while try !rows.next().data.contains(#""commit":true"#) {}
        try server.write("Person id == 7 | set age = 3")
        try server.write("Person id == 7 | delete")
        #expect(try all.next().number("version") == 2)
        #expect(try rows.next().data.contains(#""op":"delete","version":3"#))
    }
}
