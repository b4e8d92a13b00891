/* Waiting for a version of a file without a log: WaitingRegion, Store.wakeWaiters.

   A waiting process puts shared memory beside the file; a committing one looks for it; the last one who
   waits takes it away. Two observers leave while a third one comes and a writer commits. Without
   shared memory the superblock is looked at from time to time. Nothing times out unless TIMEOUTS is
   defined, so that an observer that waits on memory that no writer can find sleeps for ever.

     BEGINS_LOG   the commit begins a log, whose memory takes the place of the observers'
     UNANNOUNCED  nothing tells those who wait on the memory of the log already that its first version
                  is there: loses a wake-up
     DEATHS       the writer or an observer that leaves is killed at any moment
     TIMEOUTS     a wait ends when nobody else can do anything
     ALONE        only one observer leaves

   Two observers that leave at the same time can take away the memory that the third one has just made:
   both find the old memory closed by nobody else, the first one removes it, the third one makes another,
   and the second one removes that. The third one then learns of the commit a second late, once: its next
   wait begins with memory that is beside the file. Neither ALONE nor TIMEOUTS shows that loss. */

#define REGIONS 5
#define NONE REGIONS

byte version;
/* The memory beside the file. */
byte named = NONE;
byte nextRegion;
byte published[REGIONS];
bool closed[REGIONS];
bool isOfLog[REGIONS];
/* The lock of the region: exclusive, or how many share it, and whether the one that may die does. */
bool isMakingLog, isSharing;
byte sharing;
/* How many say that they wait. */
byte waiters;
byte asleepOn = NONE;
bool deadWriter, deadLeaver;

inline announce(region) {
    published[region]++;
    atomic { if :: asleepOn == region -> asleepOn = NONE :: else fi }
}

proctype Writer() {
    byte region;
    {
#ifdef BEGINS_LOG
        atomic { sharing == 0 -> isMakingLog = true };
        region = named;
        if
        :: region != NONE -> closed[region] = true; announce(region); named = NONE
        :: else
        fi;
        atomic { region = nextRegion; nextRegion++; isOfLog[region] = true; named = region };
        isMakingLog = false;
        version++;
#ifndef UNANNOUNCED
        announce(region)
#endif
#else
        version++;
        region = named;
        if
        :: region != NONE -> announce(region)
        :: else
        fi
#endif
    } unless { deadWriter }
}

/* Several may do this at a time. */
proctype Leaver(bool mayDie) {
    byte region;
    {
        waiters--;
        if
        :: atomic { !isMakingLog -> sharing++; if :: mayDie -> isSharing = true :: else fi };
            region = named;
            if
            :: waiters == 0 && region != NONE && !isOfLog[region] ->
                closed[region] = true;
                announce(region);
                named = NONE
            :: else
            fi;
            atomic { sharing--; if :: mayDie -> isSharing = false :: else fi }
        :: isMakingLog
        fi
    } unless { mayDie && deadLeaver }
}

proctype Observer() {
    byte region = NONE;
    byte news, newest;
    do
    :: /* join */
       if
       :: region != NONE && !closed[region]
       :: region == NONE || closed[region] ->
           atomic { if :: region == NONE -> waiters++ :: else fi; region = named };
           if
           :: region != NONE && !closed[region]
           :: region != NONE && closed[region] -> region = NONE; atomic { waiters-- }
           :: region == NONE ->
               /* Giving it its name fails if there is one. */
               atomic {
                   if
                   :: named == NONE && !isMakingLog && nextRegion < REGIONS ->
                       named = nextRegion; region = nextRegion; nextRegion++
                   :: else -> waiters--
                   fi
               }
           fi
       fi;
       if
       :: region != NONE -> news = published[region]
       :: else
       fi;
       newest = version;
       if
       :: newest > 0 -> break
       :: else
       fi;
       if
       :: region != NONE && !closed[region] ->
           atomic {
               if
               :: published[region] == news -> asleepOn = region
               :: else
               fi
           };
           if
           :: asleepOn == NONE
#ifdef TIMEOUTS
           :: atomic { timeout -> asleepOn = NONE }
#endif
           fi
       :: else
       fi
    od
}

#ifdef DEATHS
proctype Killer() {
    if
    :: atomic { deadWriter = true; isMakingLog = false }
    :: atomic {
           deadLeaver = true;
           if
           :: isSharing -> isSharing = false; sharing--
           :: else
           fi
       }
    :: true
    fi
}
#endif

init {
    atomic {
        /* The leavers wait on memory that is there. */
        named = 0; nextRegion = 1; waiters = 1;
        run Writer(); run Leaver(true); run Observer()
#ifndef ALONE
        ; waiters = 2; run Leaver(false)
#endif
#ifdef DEATHS
        ; run Killer()
#endif
    }
}
