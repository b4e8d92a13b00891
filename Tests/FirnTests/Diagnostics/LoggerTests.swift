import Dispatch
import Firn
import FirnTesting
import Foundation
import Testing

/// Other tests use realms concurrently: only messages about one file count here.
@Suite("The logger", .serialized)
struct LoggerTests {
    private let test = TestRealm([Toy.self])

    /// The messages about the file of this test during the body.
    private func said(_ level: LogLevel, _ body: () throws -> Void) rethrows -> [String] {
        let before = Logger.shared
        defer { Logger.shared = before }
        let told = listen(level)
        try body()
        return told.news
    }

    /// Replaces the logger by one that keeps the messages about the file of this test.
    private func listen(_ level: LogLevel) -> Told {
        let told = Told()
        let folder = test.folder("")
        Logger.shared = Logger(level: level) { level, message in
            guard message.contains(folder) else { return }
            told.add("\(level): " + message.replacingOccurrences(of: folder, with: ""))
        }
        return told
    }

    @Test("The logger receives the activity of realms")
    func levels() throws {
        let said = try said(.all) {
            let realm = try test.open()
            try realm.write { realm.add(Toy(id: 1)) }
            try realm.write {}
            realm.beginWrite()
            realm.cancelWrite()
        }
        #expect(said.contains { $0.hasPrefix("detail: the schema of ") })
        #expect(said.contains { $0.hasPrefix("detail: opened ") && $0.contains("1 classes") })
        #expect(said.filter { $0.hasPrefix("debug: committed version ") }.count == 1)
        #expect(said.filter { $0.hasPrefix("debug: a write transaction") }.count == 1)
        #expect(!said.contains { $0.contains("Toy") })
    }

    @Test("The logger receives moves to newer versions, and asynchronous commits")
    @MainActor
    func versions() async throws {
        let before = Logger.shared
        defer { Logger.shared = before }
        let told = listen(.trace)
        let configuration = test.configuration
        try await TestRealm.elsewhere {
            let realm = try Realm(configuration: configuration)
            Thread.detachAndWait {
                let other = try? Realm(configuration: configuration)
                try? other?.write { other?.add(Toy(id: 1)) }
            }
            realm.refresh()
        }
        #expect(told.news.contains { $0.hasPrefix("trace: a realm of test.firn moves") })
        let realm = try await Realm.open(configuration: configuration)
        try await realm.asyncWrite { realm.add(Toy(id: 2)) }
        #expect(told.news.contains { $0.hasPrefix("debug: committed version ") })
    }

    @Test("The logger receives nothing below its level")
    func silence() throws {
        let said = try said(.info) {
            let realm = try test.open()
            try realm.write { realm.add(Toy(id: 1)) }
        }
        #expect(said == [])
        let logger = Logger(level: .off) { _, _ in }
        #expect(logger.level == .off)
        logger.level = .debug
        #expect(logger.level == .debug)
    }

    @Test("The logger receives the compaction and the replacement of a file")
    func files() throws {
        let compacted = try said(.info) {
            var configuration = test.configuration
            configuration.shouldCompactOnLaunch = { _, _ in true }
            _ = try Realm(configuration: configuration)
        }
        #expect(compacted.count == 1 && compacted[0].hasPrefix("info: compacted "))
        let renewed = try said(.warn) {
            var configuration = test.configuration
            configuration.fileURL = URL(fileURLWithPath: test.folder("task.firn"))
            configuration.objectTypes = [Before.Task.self]
            do { _ = try Realm(configuration: configuration) }
            configuration.objectTypes = [Other.Task.self]
            configuration.deleteRealmIfMigrationNeeded = true
            _ = try Realm(configuration: configuration)
        }
        #expect(renewed.count == 1 && renewed[0].contains("task.firn was deleted"))
    }

    @Test("The logger writes warnings to standard error unless the program changes that")
    func standardError() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let test = TestRealm([Before.Task.self])
            do { _ = try test.open() }
            var configuration = test.configuration
            configuration.objectTypes = [Other.Task.self]
            configuration.deleteRealmIfMigrationNeeded = true
            _ = try Realm(configuration: configuration)
        }
        #expect(message(of: result).contains("Firn: warn: "))
        #expect(message(of: result).contains("was deleted and created again"))
    }

    @Test("The logger has the levels of Realm, each more detailed than the one before")
    func order() {
        #expect(
            LogLevel.allCases == [
                .off, .fatal, .error, .warn, .info, .detail, .debug, .trace, .all,
            ])
        #expect(LogLevel.allCases == LogLevel.allCases.sorted())
        #expect(LogLevel.allCases.map(\.rawValue) == Array(0...8))
    }
}

extension Thread {
    /// Runs the body on another thread, and waits for it.
    fileprivate static func detachAndWait(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        detachNewThread {
            body()
            done.signal()
        }
        done.wait()
    }
}
