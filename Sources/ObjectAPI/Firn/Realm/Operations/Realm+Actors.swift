public import Dispatch
import FirnEngine
import FirnPlatform
import FirnValues
public import Foundation

/// The actor that opens a realm.
///
/// A function that belongs to no actor may continue on another thread after each `await`, so it
/// cannot use a realm. The compiler then reports that `nil` is not compatible with this type, whose
/// name is the remedy: open the realm in a method of an actor, or in a function with `@MainActor`.
///
///     @MainActor
///     func show() async throws {
///         let realm = try await Realm()
///         print(realm.objects(Person.self).count)
///     }
///
/// Without an actor, a synchronous function can open a realm for its thread.
public typealias _CallFromAnActorOrMainActor = any Actor

/// Realms of actors, and opening without waiting.
extension Realm {
    /// Opens a realm for the calling actor.
    ///
    /// - Parameters:
    ///   - configuration: The file, and the options for opening it.
    ///   - actor: The actor of the caller, which is found automatically. If there is none, the
    ///     program does not compile.
    /// - Throws: ``Realm/Error``
    public init(
        configuration: Configuration = .defaultConfiguration,
        _isolation actor: isolated _CallFromAnActorOrMainActor = #isolation
    ) async throws {
        try self.init(configuration, .of(actor))
    }

    /// Opens a realm at a location for the calling actor, with the other options of the default
    /// configuration.
    ///
    /// - Parameters:
    ///   - fileURL: The location of the file, which is created if it does not exist.
    ///   - actor: The actor of the caller, which is found automatically. If there is none, the
    ///     program does not compile.
    /// - Throws: ``Realm/Error``
    public init(
        fileURL: URL, _isolation actor: isolated _CallFromAnActorOrMainActor = #isolation
    ) async throws {
        var configuration = Configuration.defaultConfiguration
        configuration.fileURL = fileURL
        try self.init(configuration, .of(actor))
    }

    /// Opens a realm for an actor.
    ///
    ///     actor Store {
    ///         var realm: Realm!
    ///         init() async throws { realm = try await Realm(actor: self) }
    ///     }
    ///
    /// The realm does not retain the actor, so the actor may store the realm. Both are freed
    /// together.
    ///
    /// - Parameters:
    ///   - configuration: The file, and the options for opening it.
    ///   - actor: The only actor that may use the realm.
    /// - Throws: ``Realm/Error``
    public init<A: Actor>(
        configuration: Configuration = .defaultConfiguration, actor: isolated A
    ) async throws {
        try self.init(configuration, .of(actor))
    }

    /// Opens a realm for the calling actor.
    ///
    /// - Parameters:
    ///   - configuration: The file, and the options for opening it.
    ///   - actor: The actor of the caller, which is found automatically. If there is none, the
    ///     program does not compile.
    /// - Throws: ``Realm/Error``
    public static func open(
        configuration: Configuration = .defaultConfiguration,
        _isolation actor: isolated _CallFromAnActorOrMainActor = #isolation
    ) async throws -> Realm {
        try Realm(configuration, .of(actor))
    }

    private init(_ configuration: Configuration, _ confinement: Confinement) throws {
        let file = try RealmFile.open(configuration)
        do {
            self.init(try file.instance(confinement, for: configuration))
        } catch {
            throw Realm.Error(error)
        }
        try file.upstream.subscribeOnce(self)
    }

    /// Opens a realm in the background.
    ///
    /// With an upstream, the callback is called when the objects of the subscriptions have come.
    ///
    /// - Parameters:
    ///   - configuration: The file, and the options for opening it.
    ///   - callbackQueue: The serial queue for which the realm is opened.
    ///   - callback: A closure that receives the realm or an error on that queue.
    /// - Returns: A task that can be cancelled.
    @discardableResult
    public static func asyncOpen(
        configuration: Configuration = .defaultConfiguration,
        callbackQueue: DispatchQueue = .main,
        callback: @escaping @Sendable (Result<Realm, any Swift.Error>) -> Void
    ) -> AsyncOpenTask {
        let task = AsyncOpenTask()
        DispatchQueue.global().async {
            // Retained until the queue has opened its own realm, so that no work is repeated.
            let file = Swift.Result {
                let file = try RealmFile.open(configuration)
                _ = try Realm(configuration: configuration)
                return file
            }
            Task {
                let opened = await Swift.Result(catching: {
                    let file = try file.get()
                    try await file.upstream.session?.waitForCycle(seconds: nil)
                    return file
                })
                callbackQueue.async {
                    guard !task.isCancelled else { return }
                    callback(
                        Swift.Result {
                            _ = try opened.get()
                            return try Realm(configuration: configuration, queue: callbackQueue)
                        })
                }
            }
        }
        return task
    }

    /// A task that opens a realm in the background.
    public final class AsyncOpenTask: Sendable {
        private let cancelled = Guarded(false)

        /// Cancels the opening.
        ///
        /// The callback is not called after this.
        public func cancel() { cancelled.withLock { $0 = true } }

        var isCancelled: Bool { cancelled.withLock { $0 } }
    }
}

extension Result where Failure == any Error {
    init(catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension Realm {
    /// Runs code in a write transaction without blocking the actor.
    ///
    /// The actor can run other code while the transaction waits for other writers.
    ///
    /// - Throws: An error that the code throws, ``Realm/Error`` or `CancellationError`. In each
    ///   case, nothing was committed.
    @discardableResult
    public func asyncWrite<Result>(
        _isolation actor: isolated (any Actor)? = #isolation, _ block: () throws -> Result
    ) async throws -> Result {
        switch instance.confinement {
        case .actor, .main: break
        case .thread, .queue, .everywhere:
            misuse(
                "asyncWrite() is for realms of actors and of the main thread: use write { } or "
                    + "writeAsync { }")
        }
        guard actor != nil else {
            misuse("asyncWrite() outside of an actor: use write { } or writeAsync { }")
        }
        instance.checkConfinement()
        try Task.checkCancellation()
        instance.asyncWork.beginRunning()
        defer { instance.asyncWork.endRunning() }
        let beginnings = instance.asyncWork.beginnings
        var begun: WriteTransaction?
        // A synchronous write of another task of the actor may have taken the transaction.
        while begun == nil {
            guard let ticket = await beginnings.begun(instance.file) else {
                throw CancellationError()
            }
            do {
                begun = try beginnings.take(ticket)
            } catch {
                throw Realm.Error(error)
            }
        }
        guard let transaction = begun else { misuse("a transaction that has begun is gone") }
        guard !Task.isCancelled else {
            transaction.rollback()
            throw CancellationError()
        }
        do {
            try instance.adopt(transaction)
        } catch {
            throw Realm.Error(error)
        }
        let result: Result
        do {
            result = try block()
        } catch {
            if isInWriteTransaction { cancelWrite() }
            throw error
        }
        if isInWriteTransaction { try commitWrite() }
        return result
    }

    /// Advances the realm to the newest version of the file.
    ///
    /// - Returns: A Boolean value that indicates whether the realm advanced to a newer version.
    @discardableResult
    public func asyncRefresh(_isolation actor: isolated (any Actor)? = #isolation) async -> Bool {
        refresh()
    }

    /// Runs code on a thread that may block.
    static func inBackground<Value>(
        _ body: @escaping @Sendable () throws -> Value
    ) async -> sending Swift.Result<Value, any Swift.Error> {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let result = UnsafeTransfer(Swift.Result { try body() })
                continuation.resume(returning: result)
            }
        }.value
    }
}
