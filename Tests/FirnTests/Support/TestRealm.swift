import Firn
import FirnTesting
import Foundation

/// A realm in a folder of its own, which is deleted with it.
final class TestRealm: Sendable {
    let folder = TemporaryFolder()
    let configuration: Realm.Configuration

    init(_ types: [ObjectBase.Type] = [Person.self]) {
        configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: folder("test.firn")), objectTypes: types)
    }

    func open() throws -> Realm { try Realm(configuration: configuration) }

    /// Runs the body on another thread, and waits for it.
    static func elsewhere<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
