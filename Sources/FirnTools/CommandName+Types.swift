extension CommandName {
    /// Only the chosen type is reflected; reflecting all types would cost two milliseconds per
    /// start.
    var type: any Subcommand.Type {
        switch self {
        case .create: CreateCommand.self
        case .query: QueryCommand.self
        case .write: WriteCommand.self
        case .observe: ObserveCommand.self
        case .alter: AlterCommand.self
        case .export: ExportCommand.self
        case .freeze: FreezeCommand.self
        case .log: LogCommand.self
        case .diff: DiffCommand.self
        case .compact: CompactCommand.self
        case .schema: SchemaCommand.self
        case .stats: StatsCommand.self
        case .check: CheckCommand.self
        case .repl: ReplCommand.self
        case .completions: CompletionsCommand.self
        }
    }
}
