import FirnFormats
import FirnPlatform
import FirnQuery
import FirnTools
import FirnValues
import NIOHTTP1

/// A path of the interface, with everything that routing and OpenAPI need to know about it.
struct Route: Sendable {
    /// The body of a request.
    struct Body: Sendable {
        let meaning: String
        let types: [String]
    }

    let method: HTTPMethod
    let path: String
    /// A name for generated clients.
    let name: String
    let summary: String
    var parameters: [Parameter] = []
    var body: Body?
    /// The media types of a response that is not a problem.
    let types: [String]
    /// The time that an answer takes.
    enum Effort: Sendable {
        /// It only starts something, on the event loop.
        case none
        /// It does not depend on the size of the data.
        case short
        case any
    }

    var effort = Effort.any
    /// Answers a request.
    let answer: @Sendable (Call) throws(Problem) -> Void
}

/// A request that was matched with a route.
struct Call: Sendable {
    let service: Service
    let request: Request
    let arguments: Arguments
    let exchange: Exchange

    /// Returns the file that the request names.
    func file() throws(Problem) -> ServedFiles.Served {
        try service.files.file(arguments["file"])
    }

    /// Lists the request as running while a body runs a command.
    func noted(_ body: (any ByteSink) throws(Problem) -> Void) throws(Problem) {
        let identifier = request.header("X-Request-ID")
        try service.running.note(
            RunningRequests.Entry(
                identifier: identifier.flatMap {
                    $0.utf8.count <= RunningRequests.identifierByteCountMaximum ? $0 : nil
                },
                path: request.path, query: arguments["q"],
                start: service.services.clock.monotonicNanoseconds()),
            body)
    }

    /// Runs a command whose output is the response.
    ///
    /// - Parameter database: The database of the command, if it is open already.
    func run(
        _ words: [String], type: String, headers: HTTPHeaders = [:], database: Database? = nil
    ) throws(Problem) {
        let clock = service.services.clock
        let limit = service.timeNanoseconds(arguments)
        let end = clock.monotonicNanoseconds() &+ limit
        let sink = ResponseSink(exchange, type: type, headers: headers) {
            clock.monotonicNanoseconds() >= end
        }
        do throws(Problem) {
            try noted { notes throws(Problem) in
                let command = ServedCommand(
                    words: words, timeNanoseconds: limit, database: database, notes: notes)
                try command.run(service.files, to: sink) { [exchange] in exchange.isAbandoned }
            }
            sink.finish()
        } catch {
            sink.fail(error)
        }
    }
}
