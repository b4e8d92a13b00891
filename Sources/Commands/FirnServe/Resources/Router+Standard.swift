extension Router {
    /// All routes of the server.
    static let standard: Router = Router(
        routes: [
            .files, .query, .explain, .complete, .schema, .versions, .diff, .stats, .observe,
            .write, .running, .description,
        ])
}
