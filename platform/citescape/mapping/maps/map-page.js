"use strict";(()=>{var Dy=Object.create;var Ja=Object.defineProperty;var ky=Object.getOwnPropertyDescriptor;var Fy=Object.getOwnPropertyNames;var Ny=Object.getPrototypeOf,By=Object.prototype.hasOwnProperty;var R=(e,t,i)=>()=>{if(i)throw i[0];try{return e&&(t=e(e=0)),t}catch(r){throw i=[r],r}};var vt=(e,t)=>()=>{try{return t||e((t={exports:{}}).exports,t),t.exports}catch(i){throw t=0,i}},dd=(e,t)=>{for(var i in t)Ja(e,i,{get:t[i],enumerable:!0})},Oy=(e,t,i,r)=>{if(t&&typeof t=="object"||typeof t=="function")for(let n of Fy(t))!By.call(e,n)&&n!==i&&Ja(e,n,{get:()=>t[n],enumerable:!(r=ky(t,n))||r.enumerable});return e};var hd=(e,t,i)=>(i=e!=null?Dy(Ny(e)):{},Oy(t||!e||!e.__esModule?Ja(i,"default",{value:e,enumerable:!0}):i,e));function Gr(){let e;if(typeof window<"u"&&window.performance)e=window.performance.now();else if(typeof process<"u"&&process.hrtime){let t=process.hrtime();e=t[0]*1e3+t[1]/1e6}else e=Date.now();return e}var $l=R(()=>{});var Ri,Xl=R(()=>{$l();Ri=class{constructor(t,i){this.sampleSize=1,this.time=0,this.count=0,this.samples=0,this.lastTiming=0,this.lastSampleTime=0,this.lastSampleCount=0,this._count=0,this._time=0,this._samples=0,this._startTime=0,this._timerPending=!1,this.name=t,this.type=i,this.reset()}reset(){return this.time=0,this.count=0,this.samples=0,this.lastTiming=0,this.lastSampleTime=0,this.lastSampleCount=0,this._count=0,this._time=0,this._samples=0,this._startTime=0,this._timerPending=!1,this}setSampleSize(t){return this.sampleSize=t,this}incrementCount(){return this.addCount(1),this}decrementCount(){return this.subtractCount(1),this}addCount(t){return this._count+=t,this._samples++,this._checkSampling(),this}subtractCount(t){return this._count-=t,this._samples++,this._checkSampling(),this}addTime(t){return this._time+=t,this.lastTiming=t,this._samples++,this._checkSampling(),this}timeStart(){return this._startTime=Gr(),this._timerPending=!0,this}timeEnd(){return this._timerPending?(this.addTime(Gr()-this._startTime),this._timerPending=!1,this._checkSampling(),this):this}getSampleAverageCount(){return this.sampleSize>0?this.lastSampleCount/this.sampleSize:0}getSampleAverageTime(){return this.sampleSize>0?this.lastSampleTime/this.sampleSize:0}getSampleHz(){return this.lastSampleTime>0?this.sampleSize/(this.lastSampleTime/1e3):0}getAverageCount(){return this.samples>0?this.count/this.samples:0}getAverageTime(){return this.samples>0?this.time/this.samples:0}getHz(){return this.time>0?this.samples/(this.time/1e3):0}_checkSampling(){this._samples===this.sampleSize&&(this.lastSampleTime=this._time,this.lastSampleCount=this._count,this.count+=this._count,this.time+=this._time,this.samples+=this._samples,this._time=0,this._count=0,this._samples=0)}}});var or,hp=R(()=>{Xl();or=class{constructor(t){this.stats={},this.id=t.id,this.stats={},this._initializeStats(t.stats),Object.seal(this)}get(t,i="count"){return this._getOrCreate({name:t,type:i})}get size(){return Object.keys(this.stats).length}reset(){for(let t of Object.values(this.stats))t.reset();return this}forEach(t){for(let i of Object.values(this.stats))t(i)}getTable(){let t={};return this.forEach(i=>{t[i.name]={time:i.time||0,count:i.count||0,average:i.getAverageTime()||0,hz:i.getHz()||0}}),t}_initializeStats(t=[]){t.forEach(i=>this._getOrCreate(i))}_getOrCreate(t){let{name:i,type:r}=t,n=this.stats[i];return n||(t instanceof Ri?n=t:n=new Ri(i,r),this.stats[i]=n),n}}});var pp=R(()=>{hp();Xl();$l()});function AT(e,t){let i=e.stats,r=!1;for(let l of t)i[l]||(e.get(l),r=!0);let n=Object.keys(i).length,o=mp.get(e);if(!r&&o?.orderedStatNames===t&&o.statCount===n)return;let s={},a=gp.get(t);a||(a=new Set(t),gp.set(t,a));for(let l of t)i[l]&&(s[l]=i[l]);for(let[l,c]of Object.entries(i))a.has(l)||(s[l]=c);for(let l of Object.keys(i))delete i[l];Object.assign(i,s),mp.set(e,{orderedStatNames:t,statCount:n})}var PT,CT,mp,gp,Yl,Vo,jl=R(()=>{pp();PT="GPU Time and Memory",CT=["Adapter","GPU","GPU Type","GPU Backend","Frame Rate","CPU Time","GPU Time","GPU Memory","Buffer Memory","Texture Memory","Referenced Buffer Memory","Referenced Texture Memory","Swap Chain Texture"],mp=new WeakMap,gp=new WeakMap,Yl=class{stats=new Map;getStats(t){return this.get(t)}get(t){this.stats.has(t)||this.stats.set(t,new or({id:t}));let i=this.stats.get(t);return t===PT&&AT(i,CT),i}},Vo=new Yl});var Kr,wT,$o,RT,xp,Gl=R(()=>{Kr=globalThis,wT=globalThis.document||{},$o=globalThis.process||{},RT=globalThis.console,xp=globalThis.navigator||{}});function Xo(e){if(typeof window<"u"&&window.process?.type==="renderer"||typeof process<"u"&&process.versions?.electron)return!0;let t=typeof navigator<"u"&&navigator.userAgent,i=e||t;return!!(i&&i.indexOf("Electron")>=0)}var Kl=R(()=>{});function Ue(){return!(typeof process=="object"&&String(process)==="[object process]"&&!process?.browser)||Xo()}var ql=R(()=>{Kl()});function Zl(e){return!e&&!Ue()?"Node":Xo(e)?"Electron":(e||xp.userAgent||"").indexOf("Edge")>-1?"Edge":globalThis.chrome?"Chrome":globalThis.safari?"Safari":globalThis.mozInnerScreenX?"Firefox":"Unknown"}var _p=R(()=>{ql();Kl();Gl()});var Ql,ri=R(()=>{Gl();ql();_p();Ql="4.1.2"});function sr(e,t){if(!e)throw new Error(t||"Assertion failed")}var Jl=R(()=>{});function ec(e){if(!e)return 0;let t;switch(typeof e){case"number":t=e;break;case"object":t=e.logLevel||e.priority||0;break;default:return 0}return sr(Number.isFinite(t)&&t>=0),t}function yp(e){let{logLevel:t,message:i}=e;e.logLevel=ec(t);let r=e.args?Array.from(e.args):[];for(;r.length&&r.shift()!==i;);switch(typeof t){case"string":case"function":i!==void 0&&r.unshift(i),e.message=t;break;case"object":Object.assign(e,t);break;default:}typeof e.message=="function"&&(e.message=e.message());let n=typeof e.message;return sr(n==="string"||n==="object"),Object.assign(e,{args:r},e.opts)}var bp=R(()=>{Jl()});var Ei,Yo,Sp=R(()=>{bp();Ei=()=>{},Yo=class{constructor({level:t=0}={}){this.userData={},this._onceCache=new Set,this._level=t}set level(t){this.setLevel(t)}get level(){return this.getLevel()}setLevel(t){return this._level=t,this}getLevel(){return this._level}warn(t,...i){return this._log("warn",0,t,i,{once:!0})}error(t,...i){return this._log("error",0,t,i)}log(t,i,...r){return this._log("log",t,i,r)}info(t,i,...r){return this._log("info",t,i,r)}once(t,i,...r){return this._log("once",t,i,r,{once:!0})}_log(t,i,r,n,o={}){let s=yp({logLevel:i,message:r,args:this._buildArgs(i,r,n),opts:o});return this._createLogFunction(t,s,o)}_buildArgs(t,i,r){return[t,i,...r]}_createLogFunction(t,i,r){if(!this._shouldLog(i.logLevel))return Ei;let n=this._getOnceTag(r.tag??i.tag??i.message);if((r.once||i.once)&&n!==void 0){if(this._onceCache.has(n))return Ei;this._onceCache.add(n)}return this._emit(t,i)}_shouldLog(t){return this.getLevel()>=ec(t)}_getOnceTag(t){if(t!==void 0)try{return typeof t=="string"?t:String(t)}catch{return}}}});function IT(e){try{let t=window[e],i="__storage_test__";return t.setItem(i,i),t.removeItem(i),t}catch{return null}}var jo,vp=R(()=>{jo=class{constructor(t,i,r="sessionStorage"){this.storage=IT(r),this.id=t,this.config=i,this._loadConfiguration()}getConfiguration(){return this.config}setConfiguration(t){if(Object.assign(this.config,t),this.storage){let i=JSON.stringify(this.config);this.storage.setItem(this.id,i)}}_loadConfiguration(){let t={};if(this.storage){let i=this.storage.getItem(this.id);t=i?JSON.parse(i):{}}return Object.assign(this.config,t),this}}});function Tp(e){let t;return e<10?t=`${e.toFixed(2)}ms`:e<100?t=`${e.toFixed(1)}ms`:e<1e3?t=`${e.toFixed(0)}ms`:t=`${(e/1e3).toFixed(2)}s`,t}function Pp(e,t=8){let i=Math.max(t-e.length,0);return`${" ".repeat(i)}${e}`}var Cp=R(()=>{});function Ap(e){return typeof e!="string"?e:(e=e.toUpperCase(),Go[e]||Go.WHITE)}function wp(e,t,i){return!Ue&&typeof e=="string"&&(t&&(e=`\x1B[${Ap(t)}m${e}\x1B[39m`),i&&(e=`\x1B[${Ap(i)+MT}m${e}\x1B[49m`)),e}var Go,MT,Rp=R(()=>{ri();(function(e){e[e.BLACK=30]="BLACK",e[e.RED=31]="RED",e[e.GREEN=32]="GREEN",e[e.YELLOW=33]="YELLOW",e[e.BLUE=34]="BLUE",e[e.MAGENTA=35]="MAGENTA",e[e.CYAN=36]="CYAN",e[e.WHITE=37]="WHITE",e[e.BRIGHT_BLACK=90]="BRIGHT_BLACK",e[e.BRIGHT_RED=91]="BRIGHT_RED",e[e.BRIGHT_GREEN=92]="BRIGHT_GREEN",e[e.BRIGHT_YELLOW=93]="BRIGHT_YELLOW",e[e.BRIGHT_BLUE=94]="BRIGHT_BLUE",e[e.BRIGHT_MAGENTA=95]="BRIGHT_MAGENTA",e[e.BRIGHT_CYAN=96]="BRIGHT_CYAN",e[e.BRIGHT_WHITE=97]="BRIGHT_WHITE"})(Go||(Go={}));MT=10});function Ep(e,t=["constructor"]){let i=Object.getPrototypeOf(e),r=Object.getOwnPropertyNames(i),n=e;for(let o of r){let s=n[o];typeof s=="function"&&(t.find(a=>o===a)||(n[o]=s.bind(e)))}}var Ip=R(()=>{});var Ko,At,tc=R(()=>{ri();Ko=class{getHighResolutionTimer(){let t;if(Ue()&&Kr.performance)t=Kr?.performance?.now?.();else if("hrtime"in $o){let i=$o?.hrtime?.();t=i[0]*1e3+i[1]/1e6}else t=Date.now();return t}getMemoryUsageMB(){let i=Kr?.performance?.memory?.usedJSHeapSize;return i==null?null:Math.trunc(i/1024/1024)}},At=new Ko;globalThis.Probe=Ko;globalThis.probe=At});function DT(e,t,i){if(typeof t=="string"){let r=i.time?Pp(Tp(i.total)):"";t=i.time?`${e}: ${r}  ${t}`:`${e}: ${t}`,t=wp(t,i.color,i.background)}return t}function kT(e){for(let t in e)for(let i in e[t])return i||"untitled";return"empty"}var ar,ic,Xt,rc=R(()=>{ri();Sp();vp();Cp();Rp();Ip();Jl();tc();ar={debug:Ue()&&console.debug||console.log,log:console.log,info:console.info,warn:console.warn,error:console.error},ic={enabled:!0,level:0},Xt=class extends Yo{constructor({id:t}={id:""}){super({level:0}),this.VERSION=Ql,this._startTs=At.getHighResolutionTimer(),this._deltaTs=At.getHighResolutionTimer(),this.userData={},this.LOG_THROTTLE_TIMEOUT=0,this.id=t,this.userData={},this._storage=new jo(`__probe-${this.id}__`,{[this.id]:ic}),this.timeStamp(`${this.id} started`),Ep(this),Object.seal(this)}isEnabled(){return this._getConfiguration().enabled}getLevel(){return this._getConfiguration().level}getTotal(){return Number((At.getHighResolutionTimer()-this._startTs).toPrecision(10))}getDelta(){return Number((At.getHighResolutionTimer()-this._deltaTs).toPrecision(10))}set priority(t){this.level=t}get priority(){return this.level}getPriority(){return this.level}enable(t=!0){return this._updateConfiguration({enabled:t}),this}setLevel(t){return this._updateConfiguration({level:t}),this}get(t){return this._getConfiguration()[t]}set(t,i){this._updateConfiguration({[t]:i})}settings(){console.table?console.table(this._storage.config):console.log(this._storage.config)}assert(t,i){if(!t)throw new Error(i||"Assertion failed")}warn(t,...i){return this._log("warn",0,t,i,{method:ar.warn,once:!0})}error(t,...i){return this._log("error",0,t,i,{method:ar.error})}deprecated(t,i){return this.warn(`\`${t}\` is deprecated and will be removed in a later version. Use \`${i}\` instead`)}removed(t,i){return this.error(`\`${t}\` has been removed. Use \`${i}\` instead`)}probe(t,i,...r){let n=At.getMemoryUsageMB();if(n!==null){let o=`${n}MB `;typeof i=="function"?i=()=>`${o}${i()}`:typeof i=="string"&&(i=`${o}${i}`)}return this._log("log",t,i,r,{method:ar.log,time:!0,once:!0})}log(t,i,...r){return this._log("log",t,i,r,{method:ar.debug})}info(t,i,...r){return this._log("info",t,i,r,{method:console.info})}once(t,i,...r){return this._log("once",t,i,r,{method:ar.debug||ar.info,once:!0})}table(t,i,r){return i?this._log("table",t,i,r&&[r]||[],{method:console.table||Ei,tag:kT(i)}):Ei}time(t,i){return this._log("time",t,i,[],{method:console.time?console.time:console.info})}timeEnd(t,i){return this._log("time",t,i,[],{method:console.timeEnd?console.timeEnd:console.info})}timeStamp(t,i){return this._log("time",t,i,[],{method:console.timeStamp||Ei})}group(t,i,r={collapsed:!1}){let n=(r.collapsed?console.groupCollapsed:console.group)||console.info;return this._log("group",t,i,[],{method:n})}groupCollapsed(t,i,r={}){return this.group(t,i,Object.assign({},r,{collapsed:!0}))}groupEnd(t){return this._log("groupEnd",t,"",[],{method:console.groupEnd||Ei})}withGroup(t,i,r){this.group(t,i)();try{r()}finally{this.groupEnd(t)()}}trace(){console.trace&&console.trace()}_shouldLog(t){return this.isEnabled()&&super._shouldLog(t)}_emit(t,i){let r=i.method;sr(r),i.total=this.getTotal(),i.delta=this.getDelta(),this._deltaTs=At.getHighResolutionTimer();let n=DT(this.id,i.message,i);return r.bind(console,n,...i.args)}_getConfiguration(){return this._storage.config[this.id]||this._updateConfiguration(ic),this._storage.config[this.id]}_updateConfiguration(t){let i=this._storage.config[this.id]||{...ic};this._storage.setConfiguration({[this.id]:{...i,...t}})}};Xt.VERSION=Ql});var Mp=R(()=>{tc();globalThis.probe||(globalThis.probe=At)});var gI,Dp=R(()=>{rc();rc();Mp();gI=new Xt({id:"@probe.gl/log"})});var C,Qe=R(()=>{Dp();C=new Xt({id:"luma.gl"})});function wt(e="id"){nc[e]=nc[e]||1;let t=nc[e]++;return`${e}-${t}`}var nc,lr=R(()=>{nc={}});function LT(e,t){let i={...t};for(let r in e)e[r]!==void 0&&(i[r]=e[r]);return i}function Up(e,t){let i=e.stats,r=!1;for(let l of t)i[l]||(e.get(l),r=!0);let n=Object.keys(i).length,o=Bp.get(e);if(!r&&o?.orderedStatNames===t&&o.statCount===n)return;let s={},a=Op.get(t);a||(a=new Set(t),Op.set(t,a));for(let l of t)i[l]&&(s[l]=i[l]);for(let[l,c]of Object.entries(i))a.has(l)||(s[l]=c);for(let l of Object.keys(i))delete i[l];Object.assign(i,s),Bp.set(e,{orderedStatNames:t,statCount:n})}function Lp(e){return e.type==="webgl"?UT:OT}function qr(e){let t=e.userData[FT];return t?.enabled?t:null}function ni(){return globalThis.performance?.now?.()??Date.now()}function zT(e,t){let i=qr(e);if(!(!i||!i.activeDefaultFramebufferAcquireDepth))switch(i.transientCanvasResourceCreates=(i.transientCanvasResourceCreates||0)+1,t){case"Texture":i.transientCanvasTextureCreates=(i.transientCanvasTextureCreates||0)+1;break;case"TextureView":i.transientCanvasTextureViewCreates=(i.transientCanvasTextureViewCreates||0)+1;break;case"Sampler":i.transientCanvasSamplerCreates=(i.transientCanvasSamplerCreates||0)+1;break;case"Framebuffer":i.transientCanvasFramebufferCreates=(i.transientCanvasFramebufferCreates||0)+1;break;default:break}}function WT(e){let t=Object.getPrototypeOf(e);for(;t;){let i=Object.getPrototypeOf(t);if(!i||i===G.prototype)return HT(t)||e[Symbol.toStringTag]||e.constructor.name;t=i}return e[Symbol.toStringTag]||e.constructor.name}function HT(e){let t=Object.getOwnPropertyDescriptor(e,Symbol.toStringTag);return typeof t?.get=="function"?t.get.call(e):typeof t?.value=="string"?t.value:null}var FT,kp,Fp,Np,NT,BT,OT,UT,Bp,Op,G,Me=R(()=>{lr();FT="cpu-hotspot-profiler",kp="GPU Resource Counts",Fp="Resource Counts",Np="GPU Time and Memory",NT=["Resources","Buffers","Textures","Samplers","TextureViews","Framebuffers","QuerySets","Shaders","RenderPipelines","ComputePipelines","PipelineLayouts","VertexArrays","RenderPasss","ComputePasss","CommandEncoders","CommandBuffers"],BT=["Resources","Buffers","Textures","Samplers","TextureViews","Framebuffers","QuerySets","Shaders","RenderPipelines","SharedRenderPipelines","ComputePipelines","PipelineLayouts","VertexArrays","RenderPasss","ComputePasss","CommandEncoders","CommandBuffers"],OT=NT.flatMap(e=>[`${e} Created`,`${e} Active`]),UT=BT.flatMap(e=>[`${e} Created`,`${e} Active`]),Bp=new WeakMap,Op=new WeakMap,G=class{static defaultProps={id:"undefined",handle:void 0,userData:void 0};toString(){return`${this[Symbol.toStringTag]||this.constructor.name}:"${this.id}"`}id;props;userData={};_device;destroyed=!1;allocatedBytes=0;allocatedBytesName=null;_attachedResources=new Set;constructor(t,i,r){if(!t)throw new Error("no device");this._device=t,this.props=LT(i,r);let n=this.props.id!=="undefined"?this.props.id:wt(this[Symbol.toStringTag]);this.props.id=n,this.id=n,this.userData=this.props.userData||{},this.addStats()}destroy(){this.destroyed||this.destroyResource()}delete(){return this.destroy(),this}getProps(){return this.props}attachResource(t){this._attachedResources.add(t)}detachResource(t){this._attachedResources.delete(t)}destroyAttachedResource(t){this._attachedResources.delete(t)&&t.destroy()}destroyAttachedResources(){for(let t of this._attachedResources)t.destroy();this._attachedResources=new Set}destroyResource(){this.destroyed||(this.destroyAttachedResources(),this.removeStats(),this.destroyed=!0)}removeStats(){let t=qr(this._device),i=t?ni():0,r=[this._device.statsManager.getStats(kp),this._device.statsManager.getStats(Fp)],n=Lp(this._device);for(let s of r)Up(s,n);let o=this.getStatsName();for(let s of r)s.get("Resources Active").decrementCount(),s.get(`${o}s Active`).decrementCount();t&&(t.statsBookkeepingCalls=(t.statsBookkeepingCalls||0)+1,t.statsBookkeepingTimeMs=(t.statsBookkeepingTimeMs||0)+(ni()-i))}trackAllocatedMemory(t,i=this.getStatsName()){let r=qr(this._device),n=r?ni():0,o=this._device.statsManager.getStats(Np);this.allocatedBytes>0&&this.allocatedBytesName&&(o.get("GPU Memory").subtractCount(this.allocatedBytes),o.get(`${this.allocatedBytesName} Memory`).subtractCount(this.allocatedBytes)),o.get("GPU Memory").addCount(t),o.get(`${i} Memory`).addCount(t),r&&(r.statsBookkeepingCalls=(r.statsBookkeepingCalls||0)+1,r.statsBookkeepingTimeMs=(r.statsBookkeepingTimeMs||0)+(ni()-n)),this.allocatedBytes=t,this.allocatedBytesName=i}trackReferencedMemory(t,i=this.getStatsName()){this.trackAllocatedMemory(t,`Referenced ${i}`)}trackDeallocatedMemory(t=this.getStatsName()){if(this.allocatedBytes===0){this.allocatedBytesName=null;return}let i=qr(this._device),r=i?ni():0,n=this._device.statsManager.getStats(Np);n.get("GPU Memory").subtractCount(this.allocatedBytes),n.get(`${this.allocatedBytesName||t} Memory`).subtractCount(this.allocatedBytes),i&&(i.statsBookkeepingCalls=(i.statsBookkeepingCalls||0)+1,i.statsBookkeepingTimeMs=(i.statsBookkeepingTimeMs||0)+(ni()-r)),this.allocatedBytes=0,this.allocatedBytesName=null}trackDeallocatedReferencedMemory(t=this.getStatsName()){this.trackDeallocatedMemory(`Referenced ${t}`)}addStats(){let t=this.getStatsName(),i=qr(this._device),r=i?ni():0,n=[this._device.statsManager.getStats(kp),this._device.statsManager.getStats(Fp)],o=Lp(this._device);for(let s of n)Up(s,o);for(let s of n)s.get("Resources Created").incrementCount(),s.get("Resources Active").incrementCount(),s.get(`${t}s Created`).incrementCount(),s.get(`${t}s Active`).incrementCount();i&&(i.statsBookkeepingCalls=(i.statsBookkeepingCalls||0)+1,i.statsBookkeepingTimeMs=(i.statsBookkeepingTimeMs||0)+(ni()-r)),zT(this._device,t)}getStatsName(){return WT(this)}}});var L,qo=R(()=>{Me();L=class e extends G{static INDEX=16;static VERTEX=32;static UNIFORM=64;static STORAGE=128;static INDIRECT=256;static QUERY_RESOLVE=512;static MAP_READ=1;static MAP_WRITE=2;static COPY_SRC=4;static COPY_DST=8;get[Symbol.toStringTag](){return"Buffer"}usage;indexType;updateTimestamp;constructor(t,i){let r={...i};(i.usage||0)&e.INDEX&&!i.indexType&&(i.data instanceof Uint32Array?r.indexType="uint32":i.data instanceof Uint16Array?r.indexType="uint16":i.data instanceof Uint8Array&&(r.indexType="uint8")),delete r.data,super(t,r,e.defaultProps),this.usage=r.usage||0,this.indexType=r.indexType,this.updateTimestamp=t.incrementTimestamp()}clone(t){return this.device.createBuffer({...this.props,...t})}static DEBUG_DATA_MAX_LENGTH=32;debugData=new ArrayBuffer(0);_setDebugData(t,i,r){let n=null,o;ArrayBuffer.isView(t)?(n=t,o=t.buffer):o=t;let s=Math.min(t?t.byteLength:r,e.DEBUG_DATA_MAX_LENGTH);if(o===null)this.debugData=new ArrayBuffer(s);else{let a=Math.min(n?.byteOffset||0,o.byteLength),l=Math.max(0,o.byteLength-a),c=Math.min(s,l);this.debugData=new Uint8Array(o,a,c).slice().buffer}}static defaultProps={...G.defaultProps,usage:0,byteLength:0,byteOffset:0,data:null,indexType:"uint16",onMapped:void 0}}});var sc,Je,oc,Zo=R(()=>{sc=class{getDataTypeInfo(t){let[i,r,n]=oc[t],o=t.includes("norm"),s=!o&&!t.startsWith("float"),a=t.startsWith("s");return{signedType:i,primitiveType:r,byteLength:n,normalized:o,integer:s,signed:a}}getNormalizedDataType(t){let i=t;switch(i){case"uint8":return"unorm8";case"sint8":return"snorm8";case"uint16":return"unorm16";case"sint16":return"snorm16";default:return i}}alignTo(t,i){switch(i){case 1:return t;case 2:return t+t%2;default:return t+(4-t%4)%4}}getDataType(t){let i=ArrayBuffer.isView(t)?t.constructor:t;if(i===Uint8ClampedArray)return"uint8";let r=Object.values(oc).find(n=>i===n[4]);if(!r)throw new Error(i.name);return r[0]}getTypedArrayConstructor(t){let[,,,,i]=oc[t];return i}},Je=new sc,oc={uint8:["uint8","u32",1,!1,Uint8Array],sint8:["sint8","i32",1,!1,Int8Array],unorm8:["uint8","f32",1,!0,Uint8Array],snorm8:["sint8","f32",1,!0,Int8Array],uint16:["uint16","u32",2,!1,Uint16Array],sint16:["sint16","i32",2,!1,Int16Array],unorm16:["uint16","u32",2,!0,Uint16Array],snorm16:["sint16","i32",2,!0,Int16Array],float16:["float16","f16",2,!1,Uint16Array],float32:["float32","f32",4,!1,Float32Array],uint32:["uint32","u32",4,!1,Uint32Array],sint32:["sint32","i32",4,!1,Int32Array]}});var ac,Yt,Qo=R(()=>{Zo();ac=class{getVertexFormatInfo(t){let i;t.endsWith("-webgl")&&(t.replace("-webgl",""),i=!0);let[r,n]=t.split("x"),o=r,s=n?parseInt(n):1,a=Je.getDataTypeInfo(o),l={type:o,components:s,byteLength:a.byteLength*s,integer:a.integer,signed:a.signed,normalized:a.normalized};return i&&(l.webglOnly=!0),l}makeVertexFormat(t,i,r){let n=r?Je.getNormalizedDataType(t):t;switch(n){case"unorm8":return i===1?"unorm8":i===3?"unorm8x3-webgl":`${n}x${i}`;case"snorm8":return i===1?"snorm8":i===3?"snorm8x3-webgl":`${n}x${i}`;case"uint8":case"sint8":if(i===1||i===3)throw new Error(`size: ${i}`);return`${n}x${i}`;case"uint16":return i===1?"uint16":i===3?"uint16x3-webgl":`${n}x${i}`;case"sint16":return i===1?"sint16":i===3?"sint16x3-webgl":`${n}x${i}`;case"unorm16":return i===1?"unorm16":i===3?"unorm16x3-webgl":`${n}x${i}`;case"snorm16":return i===1?"snorm16":i===3?"snorm16x3-webgl":`${n}x${i}`;case"float16":if(i===1||i===3)throw new Error(`size: ${i}`);return`${n}x${i}`;default:return i===1?n:`${n}x${i}`}}getVertexFormatFromAttribute(t,i,r){if(!i||i>4)throw new Error(`size ${i}`);let n=i,o=Je.getDataType(t);return this.makeVertexFormat(o,n,r)}getCompatibleVertexFormat(t){let i;switch(t.primitiveType){case"f32":i="float32";break;case"i32":i="sint32";break;case"u32":i="uint32";break;case"f16":return t.components<=2?"float16x2":"float16x4"}return t.components===1?i:`${i}x${t.components}`}},Yt=new ac});function hc(e){let t=Hp[e];if(!t)throw new Error(`Unsupported texture format ${e}`);return t}function Wp(){return Hp}var ke,ce,Rt,VT,Jo,lc,es,cc,$T,uc,oi,fc,dc,ts,zp,XT,YT,Hp,pc=R(()=>{ke="texture-compression-bc",ce="texture-compression-astc",Rt="texture-compression-etc2",VT="texture-compression-etc1-webgl",Jo="texture-compression-pvrtc-webgl",lc="texture-compression-atc-webgl",es="float32-renderable-webgl",cc="float16-renderable-webgl",$T="rgb9e5ufloat-renderable-webgl",uc="snorm8-renderable-webgl",oi="norm16-webgl",fc="norm16-renderable-webgl",dc="snorm16-renderable-webgl",ts="float32-filterable",zp="float16-filterable-webgl";XT={r8unorm:{},rg8unorm:{},"rgb8unorm-webgl":{},rgba8unorm:{},"rgba8unorm-srgb":{},r8snorm:{render:uc},rg8snorm:{render:uc},"rgb8snorm-webgl":{},rgba8snorm:{render:uc},r8uint:{},rg8uint:{},rgba8uint:{},r8sint:{},rg8sint:{},rgba8sint:{},bgra8unorm:{},"bgra8unorm-srgb":{},r16unorm:{f:oi,render:fc},rg16unorm:{f:oi,render:fc},"rgb16unorm-webgl":{f:oi,render:!1},rgba16unorm:{f:oi,render:fc},r16snorm:{f:oi,render:dc},rg16snorm:{f:oi,render:dc},"rgb16snorm-webgl":{f:oi,render:!1},rgba16snorm:{f:oi,render:dc},r16uint:{},rg16uint:{},rgba16uint:{},r16sint:{},rg16sint:{},rgba16sint:{},r16float:{render:cc,filter:"float16-filterable-webgl"},rg16float:{render:cc,filter:zp},rgba16float:{render:cc,filter:zp},r32uint:{},rg32uint:{},rgba32uint:{},r32sint:{},rg32sint:{},rgba32sint:{},r32float:{render:es,filter:ts},rg32float:{render:!1,filter:ts},"rgb32float-webgl":{render:es,filter:ts},rgba32float:{render:es,filter:ts},"rgba4unorm-webgl":{channels:"rgba",bitsPerChannel:[4,4,4,4],packed:!0},"rgb565unorm-webgl":{channels:"rgb",bitsPerChannel:[5,6,5,0],packed:!0},"rgb5a1unorm-webgl":{channels:"rgba",bitsPerChannel:[5,5,5,1],packed:!0},rgb9e5ufloat:{channels:"rgb",packed:!0,render:$T},rg11b10ufloat:{channels:"rgb",bitsPerChannel:[11,11,10,0],packed:!0,p:1,render:es},rgb10a2unorm:{channels:"rgba",bitsPerChannel:[10,10,10,2],packed:!0,p:1},rgb10a2uint:{channels:"rgba",bitsPerChannel:[10,10,10,2],packed:!0,p:1},stencil8:{attachment:"stencil",bitsPerChannel:[8,0,0,0],dataType:"uint8"},depth16unorm:{attachment:"depth",bitsPerChannel:[16,0,0,0],dataType:"uint16"},depth24plus:{attachment:"depth",bitsPerChannel:[24,0,0,0],dataType:"uint32"},depth32float:{attachment:"depth",bitsPerChannel:[32,0,0,0],dataType:"float32"},"depth24plus-stencil8":{attachment:"depth-stencil",bitsPerChannel:[24,8,0,0],packed:!0},"depth32float-stencil8":{attachment:"depth-stencil",bitsPerChannel:[32,8,0,0],packed:!0}},YT={"bc1-rgb-unorm-webgl":{f:ke},"bc1-rgb-unorm-srgb-webgl":{f:ke},"bc1-rgba-unorm":{f:ke},"bc1-rgba-unorm-srgb":{f:ke},"bc2-rgba-unorm":{f:ke},"bc2-rgba-unorm-srgb":{f:ke},"bc3-rgba-unorm":{f:ke},"bc3-rgba-unorm-srgb":{f:ke},"bc4-r-unorm":{f:ke},"bc4-r-snorm":{f:ke},"bc5-rg-unorm":{f:ke},"bc5-rg-snorm":{f:ke},"bc6h-rgb-ufloat":{f:ke},"bc6h-rgb-float":{f:ke},"bc7-rgba-unorm":{f:ke},"bc7-rgba-unorm-srgb":{f:ke},"etc2-rgb8unorm":{f:Rt},"etc2-rgb8unorm-srgb":{f:Rt},"etc2-rgb8a1unorm":{f:Rt},"etc2-rgb8a1unorm-srgb":{f:Rt},"etc2-rgba8unorm":{f:Rt},"etc2-rgba8unorm-srgb":{f:Rt},"eac-r11unorm":{f:Rt},"eac-r11snorm":{f:Rt},"eac-rg11unorm":{f:Rt},"eac-rg11snorm":{f:Rt},"astc-4x4-unorm":{f:ce},"astc-4x4-unorm-srgb":{f:ce},"astc-5x4-unorm":{f:ce},"astc-5x4-unorm-srgb":{f:ce},"astc-5x5-unorm":{f:ce},"astc-5x5-unorm-srgb":{f:ce},"astc-6x5-unorm":{f:ce},"astc-6x5-unorm-srgb":{f:ce},"astc-6x6-unorm":{f:ce},"astc-6x6-unorm-srgb":{f:ce},"astc-8x5-unorm":{f:ce},"astc-8x5-unorm-srgb":{f:ce},"astc-8x6-unorm":{f:ce},"astc-8x6-unorm-srgb":{f:ce},"astc-8x8-unorm":{f:ce},"astc-8x8-unorm-srgb":{f:ce},"astc-10x5-unorm":{f:ce},"astc-10x5-unorm-srgb":{f:ce},"astc-10x6-unorm":{f:ce},"astc-10x6-unorm-srgb":{f:ce},"astc-10x8-unorm":{f:ce},"astc-10x8-unorm-srgb":{f:ce},"astc-10x10-unorm":{f:ce},"astc-10x10-unorm-srgb":{f:ce},"astc-12x10-unorm":{f:ce},"astc-12x10-unorm-srgb":{f:ce},"astc-12x12-unorm":{f:ce},"astc-12x12-unorm-srgb":{f:ce},"pvrtc-rgb4unorm-webgl":{f:Jo},"pvrtc-rgba4unorm-webgl":{f:Jo},"pvrtc-rgb2unorm-webgl":{f:Jo},"pvrtc-rgba2unorm-webgl":{f:Jo},"etc1-rbg-unorm-webgl":{f:VT},"atc-rgb-unorm-webgl":{f:lc},"atc-rgba-unorm-webgl":{f:lc},"atc-rgbai-unorm-webgl":{f:lc}},Hp={...XT,...YT}});function ZT({format:e,width:t,height:i,depth:r,byteAlignment:n}){let o=De.getInfo(e),{bytesPerPixel:s,bytesPerBlock:a=s,blockWidth:l=1,blockHeight:c=1,compressed:u=!1}=o,f=u?Math.ceil(t/l):t,d=u?Math.ceil(i/c):i,h=f*a,m=Math.ceil(h/n)*n,g=d,b=m*g*r;return{bytesPerPixel:s,bytesPerRow:m,rowsPerImage:g,depthOrArrayLayers:r,bytesPerImage:m*g,byteLength:b}}function QT(e){let t=hc(e),i={format:e,create:t.f??!0,render:t.render??!0,filter:t.filter??!0,blend:t.blend??!0,store:t.store??!0},r=Vp(e),n=e.startsWith("depth")||e.startsWith("stencil"),o=r?.signed,s=r?.integer,a=r?.webgl,l=!!r?.compressed;return i.render&&=!n&&!l,i.filter&&=!n&&!o&&!s&&!a,i}function Vp(e){let t=JT(e);if(De.isCompressed(e)){t.channels="rgb",t.components=3,t.bytesPerPixel=1,t.srgb=!1,t.compressed=!0,t.bytesPerBlock=tP(e);let r=eP(e);r&&(t.blockWidth=r.blockWidth,t.blockHeight=r.blockHeight)}let i=t.packed?null:jT.exec(e);if(i){let[,r,n,o,s,a]=i,l=`${o}${n}`,c=Je.getDataTypeInfo(l),u=c.byteLength*8,f=r?.length??1,d=[u,f>=2?u:0,f>=3?u:0,f>=4?u:0];t={format:e,attachment:t.attachment,dataType:c.signedType,components:f,channels:r,integer:c.integer,signed:c.signed,normalized:c.normalized,bitsPerChannel:d,bytesPerPixel:c.byteLength*f,packed:t.packed,srgb:t.srgb},a==="-webgl"&&(t.webgl=!0),s==="-srgb"&&(t.srgb=!0)}return e.endsWith("-webgl")&&(t.webgl=!0),e.endsWith("-srgb")&&(t.srgb=!0),t}function JT(e){let t=hc(e),i=t.bytesPerPixel||1,r=t.bitsPerChannel||[8,8,8,8];return delete t.bitsPerChannel,delete t.bytesPerPixel,delete t.f,delete t.render,delete t.filter,delete t.blend,delete t.store,{...t,format:e,attachment:t.attachment||"color",channels:t.channels||"r",components:t.components||t.channels?.length||1,bytesPerPixel:i,bitsPerChannel:r,dataType:t.dataType||"uint8",srgb:t.srgb??!1,packed:t.packed??!1,webgl:t.webgl??!1,integer:t.integer??!1,signed:t.signed??!1,normalized:t.normalized??!1,compressed:t.compressed??!1}}function eP(e){let i=/.*-(\d+)x(\d+)-.*/.exec(e);if(i){let[,r,n]=i;return{blockWidth:Number(r),blockHeight:Number(n)}}return e.startsWith("bc")||e.startsWith("etc1")||e.startsWith("etc2")||e.startsWith("eac")||e.startsWith("atc")?{blockWidth:4,blockHeight:4}:e.startsWith("pvrtc-rgb4")||e.startsWith("pvrtc-rgba4")?{blockWidth:4,blockHeight:4}:e.startsWith("pvrtc-rgb2")||e.startsWith("pvrtc-rgba2")?{blockWidth:8,blockHeight:4}:null}function tP(e){return e.startsWith("bc1")||e.startsWith("bc4")||e.startsWith("etc1")||e.startsWith("etc2-rgb8")||e.startsWith("etc2-rgb8a1")||e.startsWith("eac-r11")||e==="atc-rgb-unorm-webgl"?8:e.startsWith("bc2")||e.startsWith("bc3")||e.startsWith("bc5")||e.startsWith("bc6h")||e.startsWith("bc7")||e.startsWith("etc2-rgba8")||e.startsWith("eac-rg11")||e.startsWith("astc")||e==="atc-rgba-unorm-webgl"||e==="atc-rgbai-unorm-webgl"?16:e.startsWith("pvrtc")?8:16}var jT,GT,KT,qT,mc,De,is=R(()=>{Zo();pc();jT=/^(r|rg|rgb|rgba|bgra)([0-9]*)([a-z]*)(-srgb)?(-webgl)?$/,GT=["rgb","rgba","bgra"],KT=["depth","stencil"],qT=["bc1","bc2","bc3","bc4","bc5","bc6","bc7","etc1","etc2","eac","atc","astc","pvrtc"],mc=class{isColor(t){return GT.some(i=>t.startsWith(i))}isDepthStencil(t){return KT.some(i=>t.startsWith(i))}isCompressed(t){return qT.some(i=>t.startsWith(i))}getInfo(t){return Vp(t)}getCapabilities(t){return QT(t)}computeMemoryLayout(t){return ZT(t)}},De=new mc});function cr(e){return typeof ImageData<"u"&&e instanceof ImageData||typeof ImageBitmap<"u"&&e instanceof ImageBitmap||typeof HTMLImageElement<"u"&&e instanceof HTMLImageElement||typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement||typeof VideoFrame<"u"&&e instanceof VideoFrame||typeof HTMLCanvasElement<"u"&&e instanceof HTMLCanvasElement||typeof OffscreenCanvas<"u"&&e instanceof OffscreenCanvas}function Zr(e){if(typeof ImageData<"u"&&e instanceof ImageData||typeof ImageBitmap<"u"&&e instanceof ImageBitmap||typeof HTMLCanvasElement<"u"&&e instanceof HTMLCanvasElement||typeof OffscreenCanvas<"u"&&e instanceof OffscreenCanvas)return{width:e.width,height:e.height};if(typeof HTMLImageElement<"u"&&e instanceof HTMLImageElement)return{width:e.naturalWidth,height:e.naturalHeight};if(typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement)return{width:e.videoWidth,height:e.videoHeight};if(typeof VideoFrame<"u"&&e instanceof VideoFrame)return{width:e.displayWidth,height:e.displayHeight};throw new Error("Unknown image type")}var gc=R(()=>{});function iP(e,t){let i=xc(e),r=t.map(xc).filter(n=>n!==void 0);return[i,...r].filter(n=>n!==void 0)}function xc(e){if(e!==void 0){if(e===null||typeof e=="string"||typeof e=="number"||typeof e=="boolean")return e;if(e instanceof Error)return e.message;if(Array.isArray(e))return e.map(xc);if(typeof e=="object"){if(rP(e)){let t=String(e);if(t!=="[object Object]")return t}return nP(e)?oP(e):e.constructor?.name||"Object"}return String(e)}}function rP(e){return"toString"in e&&typeof e.toString=="function"&&e.toString!==Object.prototype.toString}function nP(e){return"message"in e&&"type"in e}function oP(e){let t=typeof e.type=="string"?e.type:"message",i=typeof e.message=="string"?e.message:"",r=typeof e.lineNum=="number"?e.lineNum:null,n=typeof e.linePos=="number"?e.linePos:null,o=r!==null&&n!==null?` @ ${r}:${n}`:r!==null?` @ ${r}`:"";return`${t}${o}: ${i}`.trim()}function sP(e,t){return e!=null?!!e:t!==void 0?t!=="production":!1}function aP(){return sP(C.get("debug"),lP())}function lP(){let e=globalThis.process;if(e?.env)return e.env.NODE_ENV}var Qr,Jr,ct,_c=R(()=>{jl();Qe();lr();qo();Qo();is();gc();pc();Qr=class{};Jr=class{features;disabledFeatures;constructor(t=[],i){this.features=new Set(t),this.disabledFeatures=i||{}}*[Symbol.iterator](){yield*this.features}has(t){return!this.disabledFeatures?.[t]&&this.features.has(t)}},ct=class e{static defaultProps={id:null,powerPreference:"high-performance",failIfMajorPerformanceCaveat:!1,createCanvasContext:void 0,webgl:{},onError:(t,i)=>{},onResize:(t,i)=>{let[r,n]=t.getDevicePixelSize();C.log(1,`${t} resized => ${r}x${n}px`)()},onPositionChange:(t,i)=>{let[r,n]=t.getPosition();C.log(1,`${t} repositioned => ${r},${n}`)()},onVisibilityChange:t=>C.log(1,`${t} Visibility changed ${t.isVisible}`)(),onDevicePixelRatioChange:(t,i)=>C.log(1,`${t} DPR changed ${i.oldRatio} => ${t.devicePixelRatio}`)(),debug:aP(),debugGPUTime:!1,debugShaders:C.get("debug-shaders")||void 0,debugFramebuffers:!!C.get("debug-framebuffers"),debugFactories:!!C.get("debug-factories"),debugWebGL:!!C.get("debug-webgl"),debugSpectorJS:void 0,debugSpectorJSUrl:void 0,_reuseDevices:!1,_requestMaxLimits:!0,_cacheShaders:!0,_destroyShaders:!1,_cachePipelines:!0,_sharePipelines:!0,_destroyPipelines:!1,_initializeFeatures:!0,_disabledFeatures:{"compilation-status-async-webgl":!0},_handle:void 0};get[Symbol.toStringTag](){return"Device"}toString(){return`Device(${this.id})`}id;props;userData={};statsManager=Vo;_factories={};timestamp=0;_reused=!1;_moduleData={};_textureCaps={};_debugGPUTimeQuery=null;constructor(t){this.props={...e.defaultProps,...t},this.id=this.props.id||wt(this[Symbol.toStringTag].toLowerCase())}getVertexFormatInfo(t){return Yt.getVertexFormatInfo(t)}isVertexFormatSupported(t){return!0}getTextureFormatInfo(t){return De.getInfo(t)}getTextureFormatCapabilities(t){let i=this._textureCaps[t];if(!i){let r=this._getDeviceTextureFormatCapabilities(t);i=this._getDeviceSpecificTextureFormatCapabilities(r),this._textureCaps[t]=i}return i}getMipLevelCount(t,i,r=1){let n=Math.max(t,i,r);return 1+Math.floor(Math.log2(n))}isExternalImage(t){return cr(t)}getExternalImageSize(t){return Zr(t)}isTextureFormatSupported(t){return this.getTextureFormatCapabilities(t).create}isTextureFormatFilterable(t){return this.getTextureFormatCapabilities(t).filter}isTextureFormatRenderable(t){return this.getTextureFormatCapabilities(t).render}isTextureFormatCompressed(t){return De.isCompressed(t)}getSupportedCompressedTextureFormats(){let t=[];for(let i of Object.keys(Wp()))this.isTextureFormatCompressed(i)&&this.isTextureFormatSupported(i)&&t.push(i);return t}pushDebugGroup(t){this.commandEncoder.pushDebugGroup(t)}popDebugGroup(){this.commandEncoder?.popDebugGroup()}insertDebugMarker(t){this.commandEncoder?.insertDebugMarker(t)}loseDevice(){return!1}incrementTimestamp(){return this.timestamp++}reportError(t,i,...r){if(!this.props.onError(t,i)){let o=iP(i,r);return C.error(this.type==="webgl"?"%cWebGL":"%cWebGPU","color: white; background: red; padding: 2px 6px; border-radius: 3px;",t.message,...o)}return()=>{}}debug(){if(this.props.debug)debugger;else C.once(0,`'Type luma.log.set({debug: true}) in console to enable debug breakpoints',
or create a device with the 'debug: true' prop.`)()}getDefaultCanvasContext(){if(!this.canvasContext)throw new Error("Device has no default CanvasContext. See props.createCanvasContext");return this.canvasContext}createFence(){throw new Error("createFence() not implemented")}beginRenderPass(t){return this.commandEncoder.beginRenderPass(t)}beginComputePass(t){return this.commandEncoder.beginComputePass(t)}generateMipmapsWebGPU(t){throw new Error("not implemented")}_createSharedRenderPipelineWebGL(t){throw new Error("_createSharedRenderPipelineWebGL() not implemented")}_createBindGroupLayoutWebGPU(t,i){throw new Error("_createBindGroupLayoutWebGPU() not implemented")}_createBindGroupWebGPU(t,i,r,n,o){throw new Error("_createBindGroupWebGPU() not implemented")}_supportsDebugGPUTime(){return this.features.has("timestamp-query")&&!!(this.props.debug||this.props.debugGPUTime)}_enableDebugGPUTime(t=256){if(!this._supportsDebugGPUTime())return null;if(this._debugGPUTimeQuery)return this._debugGPUTimeQuery;try{this._debugGPUTimeQuery=this.createQuerySet({type:"timestamp",count:t}),this.commandEncoder=this.createCommandEncoder({id:this.commandEncoder.props.id,timeProfilingQuerySet:this._debugGPUTimeQuery})}catch{this._debugGPUTimeQuery=null}return this._debugGPUTimeQuery}_disableDebugGPUTime(){this._debugGPUTimeQuery&&(this.commandEncoder.getTimeProfilingQuerySet()===this._debugGPUTimeQuery&&(this.commandEncoder=this.createCommandEncoder({id:this.commandEncoder.props.id})),this._debugGPUTimeQuery.destroy(),this._debugGPUTimeQuery=null)}_isDebugGPUTimeEnabled(){return this._debugGPUTimeQuery!==null}getCanvasContext(){return this.getDefaultCanvasContext()}readPixelsToArrayWebGL(t,i){throw new Error("not implemented")}readPixelsToBufferWebGL(t,i){throw new Error("not implemented")}setParametersWebGL(t){throw new Error("not implemented")}getParametersWebGL(t){throw new Error("not implemented")}withParametersWebGL(t,i){throw new Error("not implemented")}clearWebGL(t){throw new Error("not implemented")}resetWebGL(){throw new Error("not implemented")}getModuleData(t){return this._moduleData[t]||={},this._moduleData[t]}static _getCanvasContextProps(t){return t.createCanvasContext===!0?{}:t.createCanvasContext}_getDeviceTextureFormatCapabilities(t){let i=De.getCapabilities(t),r=o=>(typeof o=="string"?this.features.has(o):o)??!0,n=r(i.create);return{format:t,create:n,render:n&&r(i.render),filter:n&&r(i.filter),blend:n&&r(i.blend),store:n&&r(i.store)}}_normalizeBufferProps(t){(t instanceof ArrayBuffer||ArrayBuffer.isView(t))&&(t={data:t});let i={...t};if((t.usage||0)&L.INDEX&&(t.indexType||(t.data instanceof Uint32Array?i.indexType="uint32":t.data instanceof Uint16Array?i.indexType="uint16":t.data instanceof Uint8Array&&(i.data=new Uint16Array(t.data),i.indexType="uint16")),!i.indexType))throw new Error("indices buffer content must be of type uint16 or uint32");return i}}});var cP,$p,yc,bc,Xp=R(()=>{_c();jl();Qe();cP="set luma.log.level=1 (or higher) to trace rendering",$p="No matching device found. Ensure `@luma.gl/webgl` and/or `@luma.gl/webgpu` modules are imported.",yc=class e{static defaultProps={...ct.defaultProps,type:"best-available",adapters:void 0,waitForPageLoad:!0};stats=Vo;log=C;VERSION="9.3.6";spector;preregisteredAdapters=new Map;constructor(){if(globalThis.luma){if(globalThis.luma.VERSION!==this.VERSION)throw C.error(`Found luma.gl ${globalThis.luma.VERSION} while initialzing ${this.VERSION}`)(),C.error("'yarn why @luma.gl/core' can help identify the source of the conflict")(),new Error("luma.gl - multiple versions detected: see console log");C.error("This version of luma.gl has already been initialized")()}C.log(1,`${this.VERSION} - ${cP}`)(),globalThis.luma=this}async createDevice(t={}){let i={...e.defaultProps,...t},r=this.selectAdapter(i.type,i.adapters);if(!r)throw new Error($p);return i.waitForPageLoad&&await r.pageLoaded,await r.create(i)}async attachDevice(t,i){let r=this._getTypeFromHandle(t,i.adapters),n=r&&this.selectAdapter(r,i.adapters);if(!n)throw new Error($p);return await n?.attach?.(t,i)}registerAdapters(t){for(let i of t)this.preregisteredAdapters.set(i.type,i)}getSupportedAdapters(t=[]){let i=this._getAdapterMap(t);return Array.from(i).map(([,r])=>r).filter(r=>r.isSupported?.()).map(r=>r.type)}getBestAvailableAdapterType(t=[]){let i=["webgpu","webgl","null"],r=this._getAdapterMap(t);for(let n of i)if(r.get(n)?.isSupported?.())return n;return null}selectAdapter(t,i=[]){let r=t;t==="best-available"&&(r=this.getBestAvailableAdapterType(i));let n=this._getAdapterMap(i);return r&&n.get(r)||null}enforceWebGL2(t=!0,i=[]){let n=this._getAdapterMap(i).get("webgl");n||C.warn("enforceWebGL2: webgl adapter not found")(),n?.enforceWebGL2?.(t)}setDefaultDeviceProps(t){Object.assign(e.defaultProps,t)}_getAdapterMap(t=[]){let i=new Map(this.preregisteredAdapters);for(let r of t)i.set(r.type,r);return i}_getTypeFromHandle(t,i=[]){return t instanceof WebGL2RenderingContext?"webgl":typeof GPUDevice<"u"&&t instanceof GPUDevice||t?.queue?"webgpu":t===null?"null":(t instanceof WebGLRenderingContext?C.warn("WebGL1 is not supported",t)():C.warn("Unknown handle type",t)(),null)}},bc=new yc});function dP(){return rs||(fP()||typeof window>"u"?rs=Promise.resolve():rs=new Promise(e=>window.addEventListener("load",()=>e()))),rs}var en,uP,fP,rs,Yp=R(()=>{ri();en=class{get pageLoaded(){return dP()}},uP=Ue()&&typeof document<"u",fP=()=>uP&&document.readyState==="complete",rs=null});var ns,jp=R(()=>{ns=class{props;_resizeObserver;_intersectionObserver;_observeDevicePixelRatioTimeout=null;_observeDevicePixelRatioMediaQuery=null;_handleDevicePixelRatioChange=()=>this._refreshDevicePixelRatio();_trackPositionInterval=null;_started=!1;get started(){return this._started}constructor(t){this.props=t}start(){if(this._started||!this.props.canvas)return;this._started=!0,this._intersectionObserver||=new IntersectionObserver(i=>this.props.onIntersection(i)),this._resizeObserver||=new ResizeObserver(i=>this.props.onResize(i)),this._intersectionObserver.observe(this.props.canvas);let t=this.props.resizeObserverBox;try{this._resizeObserver.observe(this.props.canvas,{box:t})}catch{this._resizeObserver.observe(this.props.canvas,{box:"content-box"})}this._observeDevicePixelRatioTimeout=setTimeout(()=>this._refreshDevicePixelRatio(),0),this.props.trackPosition&&this._trackPosition()}stop(){this._started&&(this._started=!1,this._observeDevicePixelRatioTimeout&&(clearTimeout(this._observeDevicePixelRatioTimeout),this._observeDevicePixelRatioTimeout=null),this._observeDevicePixelRatioMediaQuery&&(this._observeDevicePixelRatioMediaQuery.removeEventListener("change",this._handleDevicePixelRatioChange),this._observeDevicePixelRatioMediaQuery=null),this._trackPositionInterval&&(clearInterval(this._trackPositionInterval),this._trackPositionInterval=null),this._resizeObserver?.disconnect(),this._intersectionObserver?.disconnect())}_refreshDevicePixelRatio(){this._started&&(this.props.onDevicePixelRatioChange(),this._observeDevicePixelRatioMediaQuery?.removeEventListener("change",this._handleDevicePixelRatioChange),this._observeDevicePixelRatioMediaQuery=matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`),this._observeDevicePixelRatioMediaQuery.addEventListener("change",this._handleDevicePixelRatioChange,{once:!0}))}_trackPosition(t=100){this._trackPositionInterval||(this._trackPositionInterval=setInterval(()=>{this._started?this.props.onPositionChange():this._trackPositionInterval&&(clearInterval(this._trackPositionInterval),this._trackPositionInterval=null)},t))}}});function Gp(){let e,t;return{promise:new Promise((r,n)=>{e=r,t=n}),resolve:e,reject:t}}var Kp=R(()=>{});function Sc(e,t){if(!e){let i=new Error(t??"luma.gl assertion failed.");throw Error.captureStackTrace?.(i,Sc),i}}function si(e,t){return Sc(e,t),e}var vc=R(()=>{});function hP(e){if(typeof e=="string"){let t=document.getElementById(e);if(!t)throw new Error(`${e} is not an HTML element`);return t}return e||document.body}function pP(e){let t=document.getElementById(e);if(!ai.isHTMLCanvas(t))throw new Error("Object is not a canvas element");return t}function mP(e){let{width:t,height:i}=e,r=document.createElement("canvas");r.id=wt("lumagl-auto-created-canvas"),r.width=t||1,r.height=i||1,r.style.width=Number.isFinite(t)?`${t}px`:"100%",r.style.height=Number.isFinite(i)?`${i}px`:"100%",e?.visible||(r.style.visibility="hidden");let n=hP(e?.container||null);return n.insertBefore(r,n.firstChild),r}function gP(e,t,i,r,n){let o=e,s=qp(o[0],t,i),a=Zp(o[1],t,r,n),l=qp(o[0]+1,t,i),c=l===i-1?l:l-1;l=Zp(o[1]+1,t,r,n);let u;return n?(l=l===0?l:l+1,u=a,a=l):u=l===r-1?l:l-1,{x:s,y:a,width:Math.max(c-s+1,1),height:Math.max(u-a+1,1)}}function qp(e,t,i){return Math.min(Math.round(e*t),i-1)}function Zp(e,t,i,r){return r?Math.max(0,i-1-Math.round(e*t)):Math.min(Math.round(e*t),i-1)}var ai,Tc=R(()=>{ri();jp();lr();Kp();vc();ai=class e{static isHTMLCanvas(t){return typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement}static isOffscreenCanvas(t){return typeof OffscreenCanvas<"u"&&t instanceof OffscreenCanvas}static defaultProps={id:void 0,canvas:null,width:800,height:600,useDevicePixels:!0,pixelSizeSource:"exact",autoResize:!0,container:null,visible:!0,alphaMode:"opaque",colorSpace:"srgb",trackPosition:!1};id;props;canvas;htmlCanvas;offscreenCanvas;type;initialized;isInitialized=!1;isVisible=!0;cssWidth;cssHeight;devicePixelRatio;devicePixelWidth;devicePixelHeight;drawingBufferWidth;drawingBufferHeight;_initializedResolvers=Gp();_canvasObserver;_position=[0,0];destroyed=!1;_needsDrawingBufferResize=!0;toString(){return`${this[Symbol.toStringTag]}(${this.id})`}constructor(t){this.props={...e.defaultProps,...t},t=this.props,this.initialized=this._initializedResolvers.promise,Ue()?t.canvas?typeof t.canvas=="string"?this.canvas=pP(t.canvas):this.canvas=t.canvas:this.canvas=mP(t):this.canvas={width:t.width||1,height:t.height||1},e.isHTMLCanvas(this.canvas)?(this.id=t.id||this.canvas.id,this.type="html-canvas",this.htmlCanvas=this.canvas):e.isOffscreenCanvas(this.canvas)?(this.id=t.id||"offscreen-canvas",this.type="offscreen-canvas",this.offscreenCanvas=this.canvas):(this.id=t.id||"node-canvas-context",this.type="node"),this.cssWidth=this.htmlCanvas?.clientWidth||this.canvas.width,this.cssHeight=this.htmlCanvas?.clientHeight||this.canvas.height,this.devicePixelWidth=this.canvas.width,this.devicePixelHeight=this.canvas.height,this.drawingBufferWidth=this.canvas.width,this.drawingBufferHeight=this.canvas.height,this.devicePixelRatio=globalThis.devicePixelRatio||1,this._position=[0,0],this._canvasObserver=new ns({canvas:this.htmlCanvas,trackPosition:this.props.trackPosition,resizeObserverBox:this.props.pixelSizeSource==="css-dpr"?"content-box":"device-pixel-content-box",onResize:i=>this._handleResize(i),onIntersection:i=>this._handleIntersection(i),onDevicePixelRatioChange:()=>this._observeDevicePixelRatio(),onPositionChange:()=>this.updatePosition()})}destroy(){this.destroyed||(this.destroyed=!0,this._stopObservers(),this.device=null)}setProps(t){return"useDevicePixels"in t&&(this.props.useDevicePixels=t.useDevicePixels||!1,this._updateDrawingBufferSize()),this}getCurrentFramebuffer(t){return this._resizeDrawingBufferIfNeeded(),this._getCurrentFramebuffer(t)}getCSSSize(){return[this.cssWidth,this.cssHeight]}getPosition(){return this._position}getDevicePixelSize(){return[this.devicePixelWidth,this.devicePixelHeight]}getDrawingBufferSize(){return[this.drawingBufferWidth,this.drawingBufferHeight]}getMaxDrawingBufferSize(){let t=this.device.limits.maxTextureDimension2D;return[t,t]}setDrawingBufferSize(t,i){t=Math.floor(t),i=Math.floor(i),!(this.drawingBufferWidth===t&&this.drawingBufferHeight===i)&&(this.drawingBufferWidth=t,this.drawingBufferHeight=i,this._needsDrawingBufferResize=!0)}getDevicePixelRatio(){return typeof window<"u"&&window.devicePixelRatio||1}cssToDevicePixels(t,i=!0){let r=this.cssToDeviceRatio(),[n,o]=this.getDrawingBufferSize();return gP(t,r,n,o,i)}getPixelSize(){return this.getDevicePixelSize()}getAspect(){let[t,i]=this.getDrawingBufferSize();return t>0&&i>0?t/i:1}cssToDeviceRatio(){try{let[t]=this.getDrawingBufferSize(),[i]=this.getCSSSize();return i?t/i:1}catch{return 1}}resize(t){this.setDrawingBufferSize(t.width,t.height)}_setAutoCreatedCanvasId(t){this.htmlCanvas?.id==="lumagl-auto-created-canvas"&&(this.htmlCanvas.id=t)}_startObservers(){this.destroyed||this._canvasObserver.start()}_stopObservers(){this._canvasObserver.stop()}_handleIntersection(t){if(this.destroyed)return;let i=t.find(n=>n.target===this.canvas);if(!i)return;let r=i.isIntersecting;this.isVisible!==r&&(this.isVisible=r,this.device.props.onVisibilityChange(this))}_handleResize(t){if(this.destroyed)return;let i=t.find(o=>o.target===this.canvas);if(!i)return;let r=si(i.contentBoxSize?.[0]);this.cssWidth=r.inlineSize,this.cssHeight=r.blockSize;let n=this.getDevicePixelSize();this._setDevicePixelSize(this._getDevicePixelSizeFromResizeEntry(i)),this._updateDrawingBufferSize(),this.device.props.onResize(this,{oldPixelSize:n})}_updateDrawingBufferSize(){if(this.props.autoResize)if(typeof this.props.useDevicePixels=="number"){let t=this.props.useDevicePixels;this.setDrawingBufferSize(this.cssWidth*t,this.cssHeight*t)}else this.props.useDevicePixels?this.setDrawingBufferSize(this.devicePixelWidth,this.devicePixelHeight):this.setDrawingBufferSize(this.cssWidth,this.cssHeight);this._initializedResolvers.resolve(),this.isInitialized=!0,this.updatePosition()}_getDevicePixelSizeFromResizeEntry(t){let i=si(t.contentBoxSize?.[0]);return this.props.pixelSizeSource==="css-dpr"?this._getDevicePixelSizeFromCSSSize(i.inlineSize,i.blockSize):{devicePixelWidth:t.devicePixelContentBoxSize?.[0]?.inlineSize||i.inlineSize*devicePixelRatio,devicePixelHeight:t.devicePixelContentBoxSize?.[0]?.blockSize||i.blockSize*devicePixelRatio}}_getDevicePixelSizeFromCSSSize(t,i){let r=this.getDevicePixelRatio();return{devicePixelWidth:Math.floor(t*r),devicePixelHeight:Math.floor(i*r)}}_setDevicePixelSize({devicePixelWidth:t,devicePixelHeight:i}){let[r,n]=this.getMaxDrawingBufferSize();this.devicePixelWidth=Math.max(1,Math.min(t,r)),this.devicePixelHeight=Math.max(1,Math.min(i,n))}_resizeDrawingBufferIfNeeded(){this._needsDrawingBufferResize&&(this._needsDrawingBufferResize=!1,(this.drawingBufferWidth!==this.canvas.width||this.drawingBufferHeight!==this.canvas.height)&&(this.canvas.width=this.drawingBufferWidth,this.canvas.height=this.drawingBufferHeight,this._configureDevice()))}_observeDevicePixelRatio(){if(this.destroyed||!this._canvasObserver.started)return;let t=this.devicePixelRatio;if(this.devicePixelRatio=window.devicePixelRatio,this.props.pixelSizeSource==="css-dpr"){let i=this.getDevicePixelSize();this._setDevicePixelSize(this._getDevicePixelSizeFromCSSSize(this.cssWidth,this.cssHeight)),this._updateDrawingBufferSize(),this.device.props.onResize(this,{oldPixelSize:i})}this.updatePosition(),this.device.props.onDevicePixelRatioChange?.(this,{oldRatio:t})}updatePosition(){if(this.destroyed)return;let t=this.htmlCanvas?.getBoundingClientRect();if(t){let i=[t.left,t.top];if(this._position??=i,i[0]!==this._position[0]||i[1]!==this._position[1]){let n=this._position;this._position=i,this.device.props.onPositionChange?.(this,{oldPosition:n})}}}}});var tn,Qp=R(()=>{Tc();tn=class extends ai{static defaultProps=ai.defaultProps}});var rn,Jp=R(()=>{Tc();rn=class extends ai{}});var ut,Pc=R(()=>{Me();ut=class e extends G{static defaultProps={...G.defaultProps,type:"color-sampler",addressModeU:"clamp-to-edge",addressModeV:"clamp-to-edge",addressModeW:"clamp-to-edge",magFilter:"nearest",minFilter:"nearest",mipmapFilter:"none",lodMinClamp:0,lodMaxClamp:32,compare:"less-equal",maxAnisotropy:1};get[Symbol.toStringTag](){return"Sampler"}constructor(t,i){i=e.normalizeProps(t,i),super(t,i,e.defaultProps)}static normalizeProps(t,i){return i}}});var xP,B,Cc=R(()=>{Me();Pc();Qe();is();xP={"1d":"1d","2d":"2d","2d-array":"2d",cube:"2d","cube-array":"2d","3d":"3d"},B=class e extends G{static SAMPLE=4;static STORAGE=8;static RENDER=16;static COPY_SRC=1;static COPY_DST=2;static TEXTURE=4;static RENDER_ATTACHMENT=16;dimension;baseDimension;format;width;height;depth;mipLevels;samples;byteAlignment;ready=Promise.resolve(this);isReady=!0;updateTimestamp;get[Symbol.toStringTag](){return"Texture"}toString(){return`Texture(${this.id},${this.format},${this.width}x${this.height})`}constructor(t,i,r){if(i=e.normalizeProps(t,i),super(t,i,e.defaultProps),this.dimension=this.props.dimension,this.baseDimension=xP[this.dimension],this.format=this.props.format,this.width=this.props.width,this.height=this.props.height,this.depth=this.props.depth,this.mipLevels=this.props.mipLevels,this.samples=this.props.samples||1,this.dimension==="cube"&&(this.depth=6),this.props.width===void 0||this.props.height===void 0)if(t.isExternalImage(i.data)){let n=t.getExternalImageSize(i.data);this.width=n?.width||1,this.height=n?.height||1}else this.width=1,this.height=1,(this.props.width===void 0||this.props.height===void 0)&&C.warn(`${this} created with undefined width or height. This is deprecated. Use DynamicTexture instead.`)();this.byteAlignment=r?.byteAlignment||1,this.updateTimestamp=t.incrementTimestamp()}clone(t){return this.device.createTexture({...this.props,...t})}setSampler(t){this.sampler=t instanceof ut?t:this.device.createSampler(t)}copyImageData(t){let{data:i,depth:r,...n}=t;this.writeData(i,{...n,depthOrArrayLayers:n.depthOrArrayLayers??r})}computeMemoryLayout(t={}){let i=this._normalizeTextureReadOptions(t),{width:r=this.width,height:n=this.height,depthOrArrayLayers:o=this.depth}=i,{format:s,byteAlignment:a}=this;return De.computeMemoryLayout({format:s,width:r,height:n,depth:o,byteAlignment:a})}readBuffer(t,i){throw new Error("readBuffer not implemented")}readDataAsync(t){throw new Error("readBuffer not implemented")}writeBuffer(t,i){throw new Error("readBuffer not implemented")}writeData(t,i){throw new Error("readBuffer not implemented")}readDataSyncWebGL(t){throw new Error("readDataSyncWebGL not available")}generateMipmapsWebGL(){throw new Error("generateMipmapsWebGL not available")}static normalizeProps(t,i){let r={...i},{width:n,height:o}=r;return typeof n=="number"&&(r.width=Math.max(1,Math.ceil(n))),typeof o=="number"&&(r.height=Math.max(1,Math.ceil(o))),r}_initializeData(t){this.device.isExternalImage(t)?this.copyExternalImage({image:t,width:this.width,height:this.height,depth:this.depth,mipLevel:0,x:0,y:0,z:0,aspect:"all",colorSpace:"srgb",premultipliedAlpha:!1,flipY:!1}):t&&this.copyImageData({data:t,mipLevel:0,x:0,y:0,z:0,aspect:"all"})}_normalizeCopyImageDataOptions(t){let{data:i,depth:r,...n}=t,o=this._normalizeTextureWriteOptions({...n,depthOrArrayLayers:n.depthOrArrayLayers??r});return{data:i,depth:o.depthOrArrayLayers,...o}}_normalizeCopyExternalImageOptions(t){let i=e._omitUndefined(t),r=i.mipLevel??0,n=this._getMipLevelSize(r),o=this.device.getExternalImageSize(t.image),s={...e.defaultCopyExternalImageOptions,...n,...o,...i};return s.width=Math.min(s.width,n.width-s.x),s.height=Math.min(s.height,n.height-s.y),s.depth=Math.min(s.depth,n.depthOrArrayLayers-s.z),s}_normalizeTextureReadOptions(t){let i=e._omitUndefined(t),r=i.mipLevel??0,n=this._getMipLevelSize(r),o={...e.defaultTextureReadOptions,...n,...i};return o.width=Math.min(o.width,n.width-o.x),o.height=Math.min(o.height,n.height-o.y),o.depthOrArrayLayers=Math.min(o.depthOrArrayLayers,n.depthOrArrayLayers-o.z),o}_getSupportedColorReadOptions(t){let i=this._normalizeTextureReadOptions(t),r=De.getInfo(this.format);switch(this._validateColorReadAspect(i),this._validateColorReadFormat(r),this.dimension){case"2d":case"cube":case"cube-array":case"2d-array":case"3d":return i;default:throw new Error(`${this} color readback does not support ${this.dimension} textures`)}}_validateColorReadAspect(t){if(t.aspect!=="all")throw new Error(`${this} color readback only supports aspect 'all'`)}_validateColorReadFormat(t){if(t.compressed)throw new Error(`${this} color readback does not support compressed formats (${this.format})`);switch(t.attachment){case"color":return;case"depth":throw new Error(`${this} color readback does not support depth formats (${this.format})`);case"stencil":throw new Error(`${this} color readback does not support stencil formats (${this.format})`);case"depth-stencil":throw new Error(`${this} color readback does not support depth-stencil formats (${this.format})`);default:throw new Error(`${this} color readback does not support format ${this.format}`)}}_normalizeTextureWriteOptions(t){let i=e._omitUndefined(t),r=i.mipLevel??0,n=this._getMipLevelSize(r),o={...e.defaultTextureWriteOptions,...n,...i};o.width=Math.min(o.width,n.width-o.x),o.height=Math.min(o.height,n.height-o.y),o.depthOrArrayLayers=Math.min(o.depthOrArrayLayers,n.depthOrArrayLayers-o.z);let s=De.computeMemoryLayout({format:this.format,width:o.width,height:o.height,depth:o.depthOrArrayLayers,byteAlignment:this.byteAlignment}),a=s.bytesPerPixel*o.width;if(o.bytesPerRow=i.bytesPerRow??s.bytesPerRow,o.rowsPerImage=i.rowsPerImage??o.height,o.bytesPerRow<a)throw new Error(`bytesPerRow (${o.bytesPerRow}) must be at least ${a} for ${this.format}`);if(o.rowsPerImage<o.height)throw new Error(`rowsPerImage (${o.rowsPerImage}) must be at least ${o.height} for ${this.format}`);let l=this.device.getTextureFormatInfo(this.format).bytesPerPixel;if(l&&o.bytesPerRow%l!==0)throw new Error(`bytesPerRow (${o.bytesPerRow}) must be a multiple of bytesPerPixel (${l}) for ${this.format}`);return o}_getMipLevelSize(t){let i=Math.max(1,this.width>>t),r=this.baseDimension==="1d"?1:Math.max(1,this.height>>t),n=this.dimension==="3d"?Math.max(1,this.depth>>t):this.depth;return{width:i,height:r,depthOrArrayLayers:n}}getAllocatedByteLength(){let t=0;for(let i=0;i<this.mipLevels;i++){let{width:r,height:n,depthOrArrayLayers:o}=this._getMipLevelSize(i);t+=De.computeMemoryLayout({format:this.format,width:r,height:n,depth:o,byteAlignment:1}).byteLength}return t*this.samples}static _omitUndefined(t){return Object.fromEntries(Object.entries(t).filter(([,i])=>i!==void 0))}static defaultProps={...G.defaultProps,data:null,dimension:"2d",format:"rgba8unorm",usage:e.SAMPLE|e.RENDER|e.COPY_DST,width:void 0,height:void 0,depth:1,mipLevels:1,samples:void 0,sampler:{},view:void 0};static defaultCopyDataOptions={data:void 0,byteOffset:0,bytesPerRow:void 0,rowsPerImage:void 0,width:void 0,height:void 0,depthOrArrayLayers:void 0,depth:1,mipLevel:0,x:0,y:0,z:0,aspect:"all"};static defaultCopyExternalImageOptions={image:void 0,sourceX:0,sourceY:0,width:void 0,height:void 0,depth:1,mipLevel:0,x:0,y:0,z:0,aspect:"all",colorSpace:"srgb",premultipliedAlpha:!1,flipY:!1};static defaultTextureReadOptions={x:0,y:0,z:0,width:void 0,height:void 0,depthOrArrayLayers:1,mipLevel:0,aspect:"all"};static defaultTextureWriteOptions={byteOffset:0,bytesPerRow:void 0,rowsPerImage:void 0,x:0,y:0,z:0,width:void 0,height:void 0,depthOrArrayLayers:1,mipLevel:0,aspect:"all"}}});var Ii,em=R(()=>{Me();Ii=class e extends G{get[Symbol.toStringTag](){return"TextureView"}constructor(t,i){super(t,i,e.defaultProps)}static defaultProps={...G.defaultProps,format:void 0,dimension:void 0,aspect:"all",baseMipLevel:0,mipLevelCount:void 0,baseArrayLayer:0,arrayLayerCount:void 0}}});function tm(e,t,i){let r="",n=t.split(/\r?\n/),o=e.slice().sort((s,a)=>s.lineNum-a.lineNum);switch(i?.showSourceCode||"no"){case"all":let s=0;for(let a=1;a<=n.length;a++){let l=n[a-1],c=o[s];for(l&&c&&(r+=im(l,a,i));o.length>s&&c.lineNum===a;){let u=o[s++];u&&(r+=Ac(u,n,u.lineNum,{...i,inlineSource:!1}))}}for(;o.length>s;){let a=o[s++];a&&(r+=Ac(a,[],0,{...i,inlineSource:!1}))}return r;case"issues":case"no":for(let a of e)r+=Ac(a,n,a.lineNum,{inlineSource:i?.showSourceCode!=="no"});return r}}function Ac(e,t,i,r){if(r?.inlineSource){let o=_P(t,i),s=e.linePos>0?`${" ".repeat(e.linePos+5)}^^^
`:"";return`
${o}${s}${e.type.toUpperCase()}: ${e.message}

`}let n=e.type==="error"?"red":"orange";return r?.html?`<div class='luma-compiler-log-${e.type}' style="color:${n};"><b> ${e.type.toUpperCase()}: ${e.message}</b></div>`:`${e.type.toUpperCase()}: ${e.message}`}function _P(e,t,i){let r="";for(let n=t-2;n<=t;n++){let o=e[n-1];o!==void 0&&(r+=im(o,t,i))}return r}function im(e,t,i){let r=i?.html?bP(e):e;return`${yP(String(t),4)}: ${r}${i?.html?"<br/>":`
`}`}function yP(e,t){let i="";for(let r=e.length;r<t;++r)i+=" ";return i+e}function bP(e){return e.replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;").replaceAll("'","&#039;")}var rm=R(()=>{});function SP(e){return vP(e.source)||e.id||wt(`unnamed ${e.stage}-shader`)}function vP(e,t="unnamed"){return/#define[\s*]SHADER_NAME[\s*]([A-Za-z0-9_-]+)[\s*]/.exec(e)?.[1]??t}var Mi,wc=R(()=>{Me();lr();rm();Mi=class e extends G{get[Symbol.toStringTag](){return"Shader"}stage;source;compilationStatus="pending";constructor(t,i){i={...i,debugShaders:i.debugShaders||t.props.debugShaders||"errors"},super(t,{id:SP(i),...i},e.defaultProps),this.stage=this.props.stage,this.source=this.props.source}getCompilationInfoSync(){return null}getTranslatedSource(){return null}async debugShader(){let t=this.props.debugShaders;switch(t){case"never":return;case"errors":if(this.compilationStatus==="success")return;break;case"warnings":case"always":break}let i=await this.getCompilationInfo();t==="warnings"&&i?.length===0||this._displayShaderLog(i,this.id)}_displayShaderLog(t,i){if(typeof document>"u"||!document?.createElement)return;let r=i,n=`${this.stage} shader "${r}"`,o=tm(t,this.source,{showSourceCode:"all",html:!0}),s=this.getTranslatedSource(),a=document.createElement("div");a.innerHTML=`<h1>Compilation error in ${n}</h1>
<div style="display:flex;position:fixed;top:10px;right:20px;gap:2px;">
<button id="copy">Copy source</button><br/>
<button id="close">Close</button>
</div>
<code><pre>${o}</pre></code>`,s&&(a.innerHTML+=`<br /><h1>Translated Source</h1><br /><br /><code><pre>${s}</pre></code>`),a.style.top="0",a.style.left="0",a.style.background="white",a.style.position="fixed",a.style.zIndex="9999",a.style.maxWidth="100vw",a.style.maxHeight="100vh",a.style.overflowY="auto",document.body.appendChild(a),a.querySelector(".luma-compiler-log-error")?.scrollIntoView(),a.querySelector("button#close").onclick=()=>{a.remove()},a.querySelector("button#copy").onclick=()=>{navigator.clipboard.writeText(this.source)}}static defaultProps={...G.defaultProps,language:"auto",stage:void 0,source:"",sourceMap:null,entryPoint:"main",debugShaders:void 0}}});var Di,nm=R(()=>{Me();Cc();Qe();Di=class e extends G{get[Symbol.toStringTag](){return"Framebuffer"}width;height;constructor(t,i={}){super(t,i,e.defaultProps),this.width=this.props.width,this.height=this.props.height}clone(t){let i=this.colorAttachments.map(n=>n.texture.clone(t)),r=this.depthStencilAttachment&&this.depthStencilAttachment.texture.clone(t);return this.device.createFramebuffer({...this.props,...t,colorAttachments:i,depthStencilAttachment:r})}resize(t){let i=!t;if(t){let[r,n]=Array.isArray(t)?t:[t.width,t.height];i=i||n!==this.height||r!==this.width,this.width=r,this.height=n}i&&(C.log(2,`Resizing framebuffer ${this.id} to ${this.width}x${this.height}`)(),this.resizeAttachments(this.width,this.height))}autoCreateAttachmentTextures(){if(this.props.colorAttachments.length===0&&!this.props.depthStencilAttachment)throw new Error("Framebuffer has noattachments");this.colorAttachments=this.props.colorAttachments.map((i,r)=>{if(typeof i=="string"){let n=this.createColorTexture(i,r);return this.attachResource(n),n.view}return i instanceof B?i.view:i});let t=this.props.depthStencilAttachment;if(t)if(typeof t=="string"){let i=this.createDepthStencilTexture(t);this.attachResource(i),this.depthStencilAttachment=i.view}else t instanceof B?this.depthStencilAttachment=t.view:this.depthStencilAttachment=t}createColorTexture(t,i){return this.device.createTexture({id:`${this.id}-color-attachment-${i}`,usage:B.RENDER_ATTACHMENT,format:t,width:this.width,height:this.height,sampler:{magFilter:"linear",minFilter:"linear"}})}createDepthStencilTexture(t){return this.device.createTexture({id:`${this.id}-depth-stencil-attachment`,usage:B.RENDER_ATTACHMENT,format:t,width:this.width,height:this.height})}resizeAttachments(t,i){if(this.colorAttachments.forEach((r,n)=>{let o=r.texture.clone({width:t,height:i});this.destroyAttachedResource(r),this.colorAttachments[n]=o.view,this.attachResource(o.view)}),this.depthStencilAttachment){let r=this.depthStencilAttachment.texture.clone({width:t,height:i});this.destroyAttachedResource(this.depthStencilAttachment),this.depthStencilAttachment=r.view,this.attachResource(r)}this.updateAttachments()}static defaultProps={...G.defaultProps,width:1,height:1,colorAttachments:[],depthStencilAttachment:null}}});var et,Rc=R(()=>{Me();et=class e extends G{get[Symbol.toStringTag](){return"RenderPipeline"}shaderLayout;bufferLayout;linkStatus="pending";hash="";sharedRenderPipeline=null;get isPending(){return this.linkStatus==="pending"||this.vs.compilationStatus==="pending"||this.fs?.compilationStatus==="pending"}get isErrored(){return this.linkStatus==="error"||this.vs.compilationStatus==="error"||this.fs?.compilationStatus==="error"}constructor(t,i){super(t,i,e.defaultProps),this.shaderLayout=this.props.shaderLayout,this.bufferLayout=this.props.bufferLayout||[],this.sharedRenderPipeline=this.props._sharedRenderPipeline||null}static defaultProps={...G.defaultProps,vs:null,vertexEntryPoint:"vertexMain",vsConstants:{},fs:null,fragmentEntryPoint:"fragmentMain",fsConstants:{},shaderLayout:null,bufferLayout:[],topology:"triangle-list",colorAttachmentFormats:void 0,depthStencilAttachmentFormat:void 0,parameters:{},varyings:void 0,bufferMode:void 0,disableWarnings:!1,_sharedRenderPipeline:void 0,bindings:void 0,bindGroups:void 0}}});var nn,om=R(()=>{Me();nn=class extends G{get[Symbol.toStringTag](){return"SharedRenderPipeline"}constructor(t,i){super(t,i,{...G.defaultProps,handle:void 0,vs:void 0,fs:void 0,varyings:void 0,bufferMode:void 0})}}});var on,sm=R(()=>{Me();on=class e extends G{get[Symbol.toStringTag](){return"ComputePipeline"}hash="";shaderLayout;constructor(t,i){super(t,i,e.defaultProps),this.shaderLayout=i.shaderLayout}static defaultProps={...G.defaultProps,shader:void 0,entryPoint:void 0,constants:{},shaderLayout:void 0}}});var sn,am=R(()=>{sm();Rc();Qe();lr();sn=class e{static defaultProps={...et.defaultProps};static getDefaultPipelineFactory(t){let i=t.getModuleData("@luma.gl/core");return i.defaultPipelineFactory||=new e(t),i.defaultPipelineFactory}device;_hashCounter=0;_hashes={};_renderPipelineCache={};_computePipelineCache={};_sharedRenderPipelineCache={};get[Symbol.toStringTag](){return"PipelineFactory"}toString(){return`PipelineFactory(${this.device.id})`}constructor(t){this.device=t}createRenderPipeline(t){if(!this.device.props._cachePipelines)return this.device.createRenderPipeline(t);let i={...et.defaultProps,...t},r=this._renderPipelineCache,n=this._hashRenderPipeline(i),o=r[n]?.resource;if(o)r[n].useCount++,this.device.props.debugFactories&&C.log(3,`${this}: ${r[n].resource} reused, count=${r[n].useCount}, (id=${t.id})`)();else{let s=this.device.type==="webgl"&&this.device.props._sharePipelines?this.createSharedRenderPipeline(i):void 0;o=this.device.createRenderPipeline({...i,id:i.id?`${i.id}-cached`:wt("unnamed-cached"),_sharedRenderPipeline:s}),o.hash=n,r[n]={resource:o,useCount:1},this.device.props.debugFactories&&C.log(3,`${this}: ${o} created, count=${r[n].useCount}`)()}return o}createComputePipeline(t){if(!this.device.props._cachePipelines)return this.device.createComputePipeline(t);let i={...on.defaultProps,...t},r=this._computePipelineCache,n=this._hashComputePipeline(i),o=r[n]?.resource;return o?(r[n].useCount++,this.device.props.debugFactories&&C.log(3,`${this}: ${r[n].resource} reused, count=${r[n].useCount}, (id=${t.id})`)()):(o=this.device.createComputePipeline({...i,id:i.id?`${i.id}-cached`:void 0}),o.hash=n,r[n]={resource:o,useCount:1},this.device.props.debugFactories&&C.log(3,`${this}: ${o} created, count=${r[n].useCount}`)()),o}release(t){if(!this.device.props._cachePipelines){t.destroy();return}let i=this._getCache(t),r=t.hash;i[r].useCount--,i[r].useCount===0?(this._destroyPipeline(t),this.device.props.debugFactories&&C.log(3,`${this}: ${t} released and destroyed`)()):i[r].useCount<0?(C.error(`${this}: ${t} released, useCount < 0, resetting`)(),i[r].useCount=0):this.device.props.debugFactories&&C.log(3,`${this}: ${t} released, count=${i[r].useCount}`)()}createSharedRenderPipeline(t){let i=this._hashSharedRenderPipeline(t),r=this._sharedRenderPipelineCache[i];return r||(r={resource:this.device._createSharedRenderPipelineWebGL(t),useCount:0},this._sharedRenderPipelineCache[i]=r),r.useCount++,r.resource}releaseSharedRenderPipeline(t){if(!t.sharedRenderPipeline)return;let i=this._hashSharedRenderPipeline(t.sharedRenderPipeline.props),r=this._sharedRenderPipelineCache[i];r&&(r.useCount--,r.useCount===0&&(r.resource.destroy(),delete this._sharedRenderPipelineCache[i]))}_destroyPipeline(t){let i=this._getCache(t);return this.device.props._destroyPipelines?(delete i[t.hash],t.destroy(),t instanceof et&&this.releaseSharedRenderPipeline(t),!0):!1}_getCache(t){let i;if(t instanceof on&&(i=this._computePipelineCache),t instanceof et&&(i=this._renderPipelineCache),!i)throw new Error(`${this}`);if(!i[t.hash])throw new Error(`${this}: ${t} matched incorrect entry`);return i}_hashComputePipeline(t){let{type:i}=this.device,r=this._getHash(t.shader.source),n=this._getHash(JSON.stringify(t.shaderLayout));return`${i}/C/${r}SL${n}`}_hashRenderPipeline(t){let i=t.vs?this._getHash(t.vs.source):0,r=t.fs?this._getHash(t.fs.source):0,n=this._getWebGLVaryingHash(t),o=this._getHash(JSON.stringify(t.shaderLayout)),s=this._getHash(JSON.stringify(t.bufferLayout)),{type:a}=this.device;if(a==="webgl"){let l=this._getHash(JSON.stringify(t.parameters));return`${a}/R/${i}/${r}V${n}T${t.topology}P${l}SL${o}BL${s}`}else{let c=this._getHash(JSON.stringify({vertexEntryPoint:t.vertexEntryPoint,fragmentEntryPoint:t.fragmentEntryPoint})),u=this._getHash(JSON.stringify(t.parameters)),f=this._getWebGPUAttachmentHash(t);return`${a}/R/${i}/${r}V${n}T${t.topology}EP${c}P${u}SL${o}BL${s}A${f}`}}_hashSharedRenderPipeline(t){let i=t.vs?this._getHash(t.vs.source):0,r=t.fs?this._getHash(t.fs.source):0,n=this._getWebGLVaryingHash(t);return`webgl/S/${i}/${r}V${n}`}_getHash(t){return this._hashes[t]===void 0&&(this._hashes[t]=this._hashCounter++),this._hashes[t]}_getWebGLVaryingHash(t){let{varyings:i=[],bufferMode:r=null}=t;return this._getHash(JSON.stringify({varyings:i,bufferMode:r}))}_getWebGPUAttachmentHash(t){let i=t.colorAttachmentFormats??[this.device.preferredColorFormat],r=t.parameters?.depthWriteEnabled?t.depthStencilAttachmentFormat||this.device.preferredDepthFormat:null;return this._getHash(JSON.stringify({colorAttachmentFormats:i,depthStencilAttachmentFormat:r}))}}});var an,lm=R(()=>{wc();Qe();an=class e{static defaultProps={...Mi.defaultProps};static getDefaultShaderFactory(t){let i=t.getModuleData("@luma.gl/core");return i.defaultShaderFactory||=new e(t),i.defaultShaderFactory}device;_cache={};get[Symbol.toStringTag](){return"ShaderFactory"}toString(){return`${this[Symbol.toStringTag]}(${this.device.id})`}constructor(t){this.device=t}createShader(t){if(!this.device.props._cacheShaders)return this.device.createShader(t);let i=this._hashShader(t),r=this._cache[i];if(r)r.useCount++,this.device.props.debugFactories&&C.log(3,`${this}: Reusing shader ${r.resource.id} count=${r.useCount}`)();else{let n=this.device.createShader({...t,id:t.id?`${t.id}-cached`:void 0});this._cache[i]=r={resource:n,useCount:1},this.device.props.debugFactories&&C.log(3,`${this}: Created new shader ${n.id}`)()}return r.resource}release(t){if(!this.device.props._cacheShaders){t.destroy();return}let i=this._hashShader(t),r=this._cache[i];if(r)if(r.useCount--,r.useCount===0)this.device.props._destroyShaders&&(delete this._cache[i],r.resource.destroy(),this.device.props.debugFactories&&C.log(3,`${this}: Releasing shader ${t.id}, destroyed`)());else{if(r.useCount<0)throw new Error(`ShaderFactory: Shader ${t.id} released too many times`);this.device.props.debugFactories&&C.log(3,`${this}: Releasing shader ${t.id} count=${r.useCount}`)()}}_hashShader(t){return`${t.stage}:${t.source}`}}});function cm(e,t,i){let r=e.bindings.find(n=>n.name===t||`${n.name.toLocaleLowerCase()}uniforms`===t.toLocaleLowerCase());return!r&&!i?.ignoreWarnings&&C.warn(`Binding ${t} not set: Not found in shader layout.`)(),r||null}function ln(e,t){if(!t)return{};if(TP(t))return Object.fromEntries(Object.entries(t).map(([n,o])=>[Number(n),{...o}]));let i={};for(let[r,n]of Object.entries(t)){let s=cm(e,r)?.group??0;i[s]||={},i[s][r]=n}return i}function os(e){let t={};for(let i of Object.values(e))Object.assign(t,i);return t}function TP(e){let t=Object.keys(e);return t.length>0&&t.every(i=>/^\d+$/.test(i))}var um=R(()=>{Qe()});var cn,fm=R(()=>{Me();cn=class e extends G{static defaultClearColor=[0,0,0,1];static defaultClearDepth=1;static defaultClearStencil=0;get[Symbol.toStringTag](){return"RenderPass"}constructor(t,i){i=e.normalizeProps(t,i),super(t,i,e.defaultProps)}static normalizeProps(t,i){return i}static defaultProps={...G.defaultProps,framebuffer:null,parameters:void 0,clearColor:e.defaultClearColor,clearColors:void 0,clearDepth:e.defaultClearDepth,clearStencil:e.defaultClearStencil,depthReadOnly:!1,stencilReadOnly:!1,discard:!1,occlusionQuerySet:void 0,timestampQuerySet:void 0,beginTimestampIndex:void 0,endTimestampIndex:void 0}}});var un,dm=R(()=>{Me();un=class e extends G{get[Symbol.toStringTag](){return"CommandEncoder"}_timeProfilingQuerySet=null;_timeProfilingSlotCount=0;_gpuTimeMs;constructor(t,i){super(t,i,e.defaultProps),this._timeProfilingQuerySet=i.timeProfilingQuerySet??null,this._timeProfilingSlotCount=0,this._gpuTimeMs=void 0}async resolveTimeProfilingQuerySet(){if(this._gpuTimeMs=void 0,!this._timeProfilingQuerySet)return;let t=Math.floor(this._timeProfilingSlotCount/2);if(t<=0)return;let i=t*2,r=await this._timeProfilingQuerySet.readResults({firstQuery:0,queryCount:i}),n=0n;for(let o=0;o<i;o+=2)n+=r[o+1]-r[o];this._gpuTimeMs=Number(n)/1e6}getTimeProfilingSlotCount(){return this._timeProfilingSlotCount}getTimeProfilingQuerySet(){return this._timeProfilingQuerySet}_applyTimeProfilingToPassProps(t){let i=t||{};if(!this._supportsTimestampQueries()||!this._timeProfilingQuerySet||i.timestampQuerySet!==void 0||i.beginTimestampIndex!==void 0||i.endTimestampIndex!==void 0)return i;let r=this._timeProfilingSlotCount;return r+1>=this._timeProfilingQuerySet.props.count?i:(this._timeProfilingSlotCount+=2,{...i,timestampQuerySet:this._timeProfilingQuerySet,beginTimestampIndex:r,endTimestampIndex:r+1})}_supportsTimestampQueries(){return this.device.features.has("timestamp-query")}static defaultProps={...G.defaultProps,measureExecutionTime:void 0,timeProfilingQuerySet:void 0}}});var fn,hm=R(()=>{Me();fn=class e extends G{get[Symbol.toStringTag](){return"CommandBuffer"}constructor(t,i){super(t,i,e.defaultProps)}static defaultProps={...G.defaultProps}}});function ur(e){let t=ss(e),i=wP[t];if(!i)throw new Error(`Unsupported variable shader type: ${e}`);return i}function pm(e){let t=mm(e),i=AP[t];if(!i)throw new Error(`Unsupported attribute shader type: ${e}`);let[r,n]=i,o=r==="i32"||r==="u32",s=r!=="u32",a=CP[r]*n;return{primitiveType:r,components:n,byteLength:a,integer:o,signed:s}}function PP(e,t){return t===1?e:`vec${t}<${e}>`}function mm(e){return RP[e]||e}function ss(e){return EP[e]||e}var Ec,Ic,CP,AP,wP,RP,EP,as=R(()=>{Ec=class{getVariableShaderTypeInfo(t){return ur(t)}getAttributeShaderTypeInfo(t){return pm(t)}makeShaderAttributeType(t,i){return PP(t,i)}resolveAttributeShaderTypeAlias(t){return mm(t)}resolveVariableShaderTypeAlias(t){return ss(t)}};Ic=new Ec,CP={f32:4,f16:2,i32:4,u32:4},AP={f32:["f32",1],"vec2<f32>":["f32",2],"vec3<f32>":["f32",3],"vec4<f32>":["f32",4],f16:["f16",1],"vec2<f16>":["f16",2],"vec3<f16>":["f16",3],"vec4<f16>":["f16",4],i32:["i32",1],"vec2<i32>":["i32",2],"vec3<i32>":["i32",3],"vec4<i32>":["i32",4],u32:["u32",1],"vec2<u32>":["u32",2],"vec3<u32>":["u32",3],"vec4<u32>":["u32",4]},wP={f32:{type:"f32",components:1},f16:{type:"f16",components:1},i32:{type:"i32",components:1},u32:{type:"u32",components:1},"vec2<f32>":{type:"f32",components:2},"vec3<f32>":{type:"f32",components:3},"vec4<f32>":{type:"f32",components:4},"vec2<f16>":{type:"f16",components:2},"vec3<f16>":{type:"f16",components:3},"vec4<f16>":{type:"f16",components:4},"vec2<i32>":{type:"i32",components:2},"vec3<i32>":{type:"i32",components:3},"vec4<i32>":{type:"i32",components:4},"vec2<u32>":{type:"u32",components:2},"vec3<u32>":{type:"u32",components:3},"vec4<u32>":{type:"u32",components:4},"mat2x2<f32>":{type:"f32",components:4},"mat2x3<f32>":{type:"f32",components:6},"mat2x4<f32>":{type:"f32",components:8},"mat3x2<f32>":{type:"f32",components:6},"mat3x3<f32>":{type:"f32",components:9},"mat3x4<f32>":{type:"f32",components:12},"mat4x2<f32>":{type:"f32",components:8},"mat4x3<f32>":{type:"f32",components:12},"mat4x4<f32>":{type:"f32",components:16},"mat2x2<f16>":{type:"f16",components:4},"mat2x3<f16>":{type:"f16",components:6},"mat2x4<f16>":{type:"f16",components:8},"mat3x2<f16>":{type:"f16",components:6},"mat3x3<f16>":{type:"f16",components:9},"mat3x4<f16>":{type:"f16",components:12},"mat4x2<f16>":{type:"f16",components:8},"mat4x3<f16>":{type:"f16",components:12},"mat4x4<f16>":{type:"f16",components:16},"mat2x2<i32>":{type:"i32",components:4},"mat2x3<i32>":{type:"i32",components:6},"mat2x4<i32>":{type:"i32",components:8},"mat3x2<i32>":{type:"i32",components:6},"mat3x3<i32>":{type:"i32",components:9},"mat3x4<i32>":{type:"i32",components:12},"mat4x2<i32>":{type:"i32",components:8},"mat4x3<i32>":{type:"i32",components:12},"mat4x4<i32>":{type:"i32",components:16},"mat2x2<u32>":{type:"u32",components:4},"mat2x3<u32>":{type:"u32",components:6},"mat2x4<u32>":{type:"u32",components:8},"mat3x2<u32>":{type:"u32",components:6},"mat3x3<u32>":{type:"u32",components:9},"mat3x4<u32>":{type:"u32",components:12},"mat4x2<u32>":{type:"u32",components:8},"mat4x3<u32>":{type:"u32",components:12},"mat4x4<u32>":{type:"u32",components:16}},RP={vec2i:"vec2<i32>",vec3i:"vec3<i32>",vec4i:"vec4<i32>",vec2u:"vec2<u32>",vec3u:"vec3<u32>",vec4u:"vec4<u32>",vec2f:"vec2<f32>",vec3f:"vec3<f32>",vec4f:"vec4<f32>",vec2h:"vec2<f16>",vec3h:"vec3<f16>",vec4h:"vec4<f16>"},EP={vec2i:"vec2<i32>",vec3i:"vec3<i32>",vec4i:"vec4<i32>",vec2u:"vec2<u32>",vec3u:"vec3<u32>",vec4u:"vec4<u32>",vec2f:"vec2<f32>",vec3f:"vec3<f32>",vec4f:"vec4<f32>",vec2h:"vec2<f16>",vec3h:"vec3<f16>",vec4h:"vec4<f16>",mat2x2f:"mat2x2<f32>",mat2x3f:"mat2x3<f32>",mat2x4f:"mat2x4<f32>",mat3x2f:"mat3x2<f32>",mat3x3f:"mat3x3<f32>",mat3x4f:"mat3x4<f32>",mat4x2f:"mat4x2<f32>",mat4x3f:"mat4x3<f32>",mat4x4f:"mat4x4<f32>",mat2x2i:"mat2x2<i32>",mat2x3i:"mat2x3<i32>",mat2x4i:"mat2x4<i32>",mat3x2i:"mat3x2<i32>",mat3x3i:"mat3x3<i32>",mat3x4i:"mat3x4<i32>",mat4x2i:"mat4x2<i32>",mat4x3i:"mat4x3<i32>",mat4x4i:"mat4x4<i32>",mat2x2u:"mat2x2<u32>",mat2x3u:"mat2x3<u32>",mat2x4u:"mat2x4<u32>",mat3x2u:"mat3x2<u32>",mat3x3u:"mat3x3<u32>",mat3x4u:"mat3x4<u32>",mat4x2u:"mat4x2<u32>",mat4x3u:"mat4x3<u32>",mat4x4u:"mat4x4<u32>",mat2x2h:"mat2x2<f16>",mat2x3h:"mat2x3<f16>",mat2x4h:"mat2x4<f16>",mat3x2h:"mat3x2<f16>",mat3x3h:"mat3x3<f16>",mat3x4h:"mat3x4<f16>",mat4x2h:"mat4x2<f16>",mat4x3h:"mat4x3<f16>",mat4x4h:"mat4x4<f16>"}});function ls(e,t){let i={};for(let r of e.attributes){let n=IP(e,t,r.name);n&&(i[r.name]=n)}return i}function gm(e,t,i=16){let r=ls(e,t),n=new Array(i).fill(null);for(let o of Object.values(r))n[o.location]=o;return n}function IP(e,t,i){let r=MP(e,i),n=DP(t,i);if(!r)return null;let o=Ic.getAttributeShaderTypeInfo(r.type),s=Yt.getCompatibleVertexFormat(o),a=n?.vertexFormat||s,l=Yt.getVertexFormatInfo(a);return{attributeName:n?.attributeName||r.name,bufferName:n?.bufferName||r.name,location:r.location,shaderType:r.type,primitiveType:o.primitiveType,shaderComponents:o.components,vertexFormat:a,bufferDataType:l.type,bufferComponents:l.components,normalized:l.normalized,integer:o.integer,stepMode:n?.stepMode||r.stepMode||"vertex",byteOffset:n?.byteOffset||0,byteStride:n?.byteStride||0}}function MP(e,t){let i=e.attributes.find(r=>r.name===t);return i||C.warn(`shader layout attribute "${t}" not present in shader`),i||null}function DP(e,t){kP(e);let i=FP(e,t);return i||(i=NP(e,t),i)?i:(C.warn(`layout for attribute "${t}" not present in buffer layout`),null)}function kP(e){for(let t of e)(t.attributes&&t.format||!t.attributes&&!t.format)&&C.warn(`BufferLayout ${name} must have either 'attributes' or 'format' field`)}function FP(e,t){for(let i of e)if(i.format&&i.name===t)return{attributeName:i.name,bufferName:t,stepMode:i.stepMode,vertexFormat:i.format,byteOffset:0,byteStride:i.byteStride||0};return null}function NP(e,t){for(let i of e){let r=i.byteStride;if(typeof i.byteStride!="number")for(let o of i.attributes||[]){let s=Yt.getVertexFormatInfo(o.format);r+=s.byteLength}let n=i.attributes?.find(o=>o.attribute===t);if(n)return{attributeName:n.attribute,bufferName:i.name,stepMode:i.stepMode,vertexFormat:n.format,byteOffset:n.byteOffset,byteStride:r}}return null}var Mc=R(()=>{Qe();as();Qo()});var dn,xm=R(()=>{Mc();Me();dn=class e extends G{static defaultProps={...G.defaultProps,shaderLayout:void 0,bufferLayout:[]};get[Symbol.toStringTag](){return"VertexArray"}maxVertexAttributes;attributeInfos;indexBuffer=null;attributes;constructor(t,i){super(t,i,e.defaultProps),this.maxVertexAttributes=t.limits.maxVertexAttributes,this.attributes=new Array(this.maxVertexAttributes).fill(null),this.attributeInfos=gm(i.shaderLayout,i.bufferLayout,this.maxVertexAttributes)}setConstantWebGL(t,i){this.device.reportError(new Error("constant attributes not supported"),this)()}}});var hn,_m=R(()=>{Me();hn=class e extends G{static defaultProps={...G.defaultProps,layout:void 0,buffers:{}};get[Symbol.toStringTag](){return"TransformFeedback"}constructor(t,i){super(t,i,e.defaultProps)}}});var pn,ym=R(()=>{Me();pn=class e extends G{get[Symbol.toStringTag](){return"QuerySet"}constructor(t,i){super(t,i,e.defaultProps)}static defaultProps={...G.defaultProps,type:void 0,count:void 0}}});var mn,bm=R(()=>{Me();mn=class e extends G{static defaultProps={...G.defaultProps};get[Symbol.toStringTag](){return"Fence"}constructor(t,i={}){super(t,i,e.defaultProps)}}});function Et(e,t){switch(t){case 1:return e;case 2:return e+e%2;default:return e+(4-e%4)%4}}function Dc(e){let[,,,,t]=BP[e];return t}var BP,kc=R(()=>{BP={uint8:["uint8","u32",1,!1,Uint8Array],sint8:["sint8","i32",1,!1,Int8Array],unorm8:["uint8","f32",1,!0,Uint8Array],snorm8:["sint8","f32",1,!0,Int8Array],uint16:["uint16","u32",2,!1,Uint16Array],sint16:["sint16","i32",2,!1,Int16Array],unorm16:["uint16","u32",2,!0,Uint16Array],snorm16:["sint16","i32",2,!0,Int16Array],float16:["float16","f16",2,!1,Uint16Array],float32:["float32","f32",4,!1,Float32Array],uint32:["uint32","u32",4,!1,Uint32Array],sint32:["sint32","i32",4,!1,Int32Array]}});function vm(e,t={}){let i={...e},r=t.layout??"std140",n={},o=0;for(let[s,a]of Object.entries(i))o=Fc(n,s,a,o,r);return o=Et(o,li(i,r)),{layout:r,byteLength:o*4,uniformTypes:i,fields:n}}function gn(e,t){let i=ss(e),r=ur(i),n=/^mat(\d)x(\d)<.+>$/.exec(i);if(n){let s=Number(n[1]),a=Number(n[2]),l=Sm(a,i,r.type,t),c=UP(l.size,l.alignment,t);return{alignment:l.alignment,size:s*c,components:s*a,columns:s,rows:a,columnStride:c,shaderType:i,type:r.type}}let o=/^vec(\d)<.+>$/.exec(i);return o?Sm(Number(o[1]),i,r.type,t):{alignment:1,size:1,components:1,columns:1,rows:1,columnStride:1,shaderType:i,type:r.type}}function Nc(e){return!!e&&typeof e=="object"&&!Array.isArray(e)}function Fc(e,t,i,r,n){if(typeof i=="string"){let o=gn(i,n),s=Et(r,o.alignment);return e[t]={offset:s,...o},s+o.size}if(Array.isArray(i)){if(Array.isArray(i[0]))throw new Error(`Nested arrays are not supported for ${t}`);let o=i[0],s=i[1],a=Pm(o,n),l=Et(r,li(i,n));for(let c=0;c<s;c++)Fc(e,`${t}[${c}]`,o,l+c*a,n);return l+a*s}if(Nc(i)){let o=li(i,n),s=Et(r,o);for(let[a,l]of Object.entries(i))s=Fc(e,`${t}.${a}`,l,s,n);return Et(s,o)}throw new Error(`Unsupported CompositeShaderType for ${t}`)}function Tm(e,t){if(typeof e=="string")return gn(e,t).size;if(Array.isArray(e)){let r=e[0],n=e[1];if(Array.isArray(r))throw new Error("Nested arrays are not supported");return Pm(r,t)*n}let i=0;for(let r of Object.values(e)){let n=r;i=Et(i,li(n,t)),i+=Tm(n,t)}return Et(i,li(e,t))}function li(e,t){if(typeof e=="string")return gn(e,t).alignment;if(Array.isArray(e)){let r=e[0],n=li(r,t);return Cm(t)?Math.max(n,4):n}let i=1;for(let r of Object.values(e)){let n=li(r,t);i=Math.max(i,n)}return LP(t)?Math.max(i,4):i}function Sm(e,t,i,r){return{alignment:e===2?2:4,size:e===3?3:e,components:e,columns:1,rows:e,columnStride:e===3?3:e,shaderType:t,type:i}}function Pm(e,t){let i=Tm(e,t),r=li(e,t);return OP(i,r,t)}function OP(e,t,i){return Et(e,Cm(i)?4:t)}function UP(e,t,i){return i==="std140"?4:Et(e,t)}function Cm(e){return e==="std140"||e==="wgsl-uniform"}function LP(e){return e==="std140"||e==="wgsl-uniform"}var Bc=R(()=>{kc();as()});function Oc(e){return(!cs||cs.byteLength<e)&&(cs=new ArrayBuffer(e)),cs}function Uc(e,t){let i=Oc(e.BYTES_PER_ELEMENT*t);return new e(i,0,t)}var cs,Lc=R(()=>{});function zP(e){return ArrayBuffer.isView(e)&&!(e instanceof DataView)}function fr(e){return Array.isArray(e)?e.length===0||typeof e[0]=="number":zP(e)}var zc=R(()=>{});function WP(e){return!!e&&typeof e=="object"&&!Array.isArray(e)&&!ArrayBuffer.isView(e)}function HP(e,t,i){return Array.prototype.slice.call(e,t,i)}var us,Am=R(()=>{Lc();zc();Qe();Bc();us=class{layout;constructor(t){this.layout=t}has(t){return!!this.layout.fields[t]}get(t){let i=this.layout.fields[t];return i?{offset:i.offset,size:i.size}:void 0}getFlatUniformValues(t){let i={};for(let[r,n]of Object.entries(t)){let o=this.layout.uniformTypes[r];o?this._flattenCompositeValue(i,r,o,n):this.layout.fields[r]&&(i[r]=n)}return i}getData(t){let i=Oc(this.layout.byteLength);new Uint8Array(i,0,this.layout.byteLength).fill(0);let r={i32:new Int32Array(i),u32:new Uint32Array(i),f32:new Float32Array(i),f16:new Uint16Array(i)},n=this.getFlatUniformValues(t);for(let[o,s]of Object.entries(n))this._writeLeafValue(r,o,s);return new Uint8Array(i,0,this.layout.byteLength)}_flattenCompositeValue(t,i,r,n){if(n!==void 0){if(typeof r=="string"||this.layout.fields[i]){t[i]=n;return}if(Array.isArray(r)){let o=r[0],s=r[1];if(Array.isArray(o))throw new Error(`Nested arrays are not supported for ${i}`);if(typeof o=="string"&&fr(n)){this._flattenPackedArray(t,i,o,s,n);return}if(!Array.isArray(n)){C.warn(`Unsupported uniform array value for ${i}:`,n)();return}for(let a=0;a<Math.min(n.length,s);a++){let l=n[a];l!==void 0&&this._flattenCompositeValue(t,`${i}[${a}]`,o,l)}return}if(Nc(r)&&WP(n)){for(let[o,s]of Object.entries(n)){if(s===void 0)continue;let a=`${i}.${o}`;this._flattenCompositeValue(t,a,r[o],s)}return}C.warn(`Unsupported uniform value for ${i}:`,n)()}}_flattenPackedArray(t,i,r,n,o){let s=o,l=gn(r,this.layout.layout).components;for(let c=0;c<n;c++){let u=c*l;if(u>=s.length)break;l===1?t[`${i}[${c}]`]=Number(s[u]):t[`${i}[${c}]`]=HP(o,u,u+l)}}_writeLeafValue(t,i,r){let n=this.layout.fields[i];if(!n){C.warn(`Uniform ${i} not found in layout`)();return}let{type:o,components:s,columns:a,rows:l,offset:c,columnStride:u}=n,f=t[o];if(s===1){f[c]=Number(r);return}let d=r;if(a===1){for(let m=0;m<s;m++)f[c+m]=Number(d[m]??0);return}let h=0;for(let m=0;m<a;m++){let g=c+m*u;for(let b=0;b<l;b++)f[g+b]=Number(d[h++]??0)}}}});function wm(e,t,i=16){if(e===t)return!0;let r=e,n=t;if(!fr(r)||!fr(n)||r.length!==n.length)return!1;let o=Math.min(i,VP);if(r.length>o)return!1;for(let s=0;s<r.length;++s)if(n[s]!==r[s])return!1;return!0}function Rm(e){return fr(e)?e.slice():e}var VP,Em=R(()=>{zc();VP=128});var fs,Im=R(()=>{Em();fs=class{name;uniforms={};modifiedUniforms={};modified=!0;bindingLayout={};needsRedraw="initialized";constructor(t){if(this.name=t?.name||"unnamed",t?.name&&t?.shaderLayout){let i=t?.shaderLayout.bindings?.find(n=>n.type==="uniform"&&n.name===t?.name);if(!i)throw new Error(t?.name);let r=i;for(let n of r.uniforms||[])this.bindingLayout[n.name]=n}}setUniforms(t){for(let[i,r]of Object.entries(t))this._setUniform(i,r),this.needsRedraw||this.setNeedsRedraw(`${this.name}.${i}=${r}`)}setNeedsRedraw(t){this.needsRedraw=this.needsRedraw||t}getAllUniforms(){return this.modifiedUniforms={},this.needsRedraw=!1,this.uniforms||{}}_setUniform(t,i){wm(this.uniforms[t],i)||(this.uniforms[t]=Rm(i),this.modifiedUniforms[t]=!0,this.modified=!0)}}});function XP(e){return e.type==="webgpu"?"wgsl-uniform":"std140"}var $P,oe,Mm=R(()=>{qo();Qe();Bc();Im();Am();$P=1024,oe=class{device;uniformBlocks=new Map;shaderBlockLayouts=new Map;shaderBlockWriters=new Map;uniformBuffers=new Map;constructor(t,i){this.device=t;for(let[r,n]of Object.entries(i)){let o=r,s=vm(n.uniformTypes??{},{layout:n.layout??XP(t)}),a=new us(s);this.shaderBlockLayouts.set(o,s),this.shaderBlockWriters.set(o,a);let l=new fs({name:r});l.setUniforms(a.getFlatUniformValues(n.defaultUniforms||{})),this.uniformBlocks.set(o,l)}}destroy(){for(let t of this.uniformBuffers.values())t.destroy()}setUniforms(t){for(let[i,r]of Object.entries(t)){let n=i,s=this.shaderBlockWriters.get(n)?.getFlatUniformValues(r||{});this.uniformBlocks.get(n)?.setUniforms(s||{})}this.updateUniformBuffers()}getUniformBufferByteLength(t){let i=this.shaderBlockLayouts.get(t)?.byteLength||0;return Math.max(i,$P)}getUniformBufferData(t){let i=this.uniformBlocks.get(t)?.getAllUniforms()||{};return this.shaderBlockWriters.get(t)?.getData(i)||new Uint8Array(0)}createUniformBuffer(t,i){i&&this.setUniforms(i);let r=this.getUniformBufferByteLength(t),n=this.device.createBuffer({usage:L.UNIFORM|L.COPY_DST,byteLength:r}),o=this.getUniformBufferData(t);return n.write(o),n}getManagedUniformBuffer(t){if(!this.uniformBuffers.get(t)){let i=this.getUniformBufferByteLength(t),r=this.device.createBuffer({usage:L.UNIFORM|L.COPY_DST,byteLength:i});this.uniformBuffers.set(t,r)}return this.uniformBuffers.get(t)}updateUniformBuffers(){let t=!1;for(let i of this.uniformBlocks.keys()){let r=this.updateUniformBuffer(i);t||=r}return t&&C.log(3,`UniformStore.updateUniformBuffers(): ${t}`)(),t}updateUniformBuffer(t){let i=this.uniformBlocks.get(t),r=this.uniformBuffers.get(t),n=!1;if(r&&i?.needsRedraw){n||=i.needsRedraw;let o=this.getUniformBufferData(t);r=this.uniformBuffers.get(t),r?.write(o);let s=this.uniformBlocks.get(t)?.getAllUniforms();C.log(4,`Writing to uniform buffer ${String(t)}`,o,s)()}return n}}});var re=R(()=>{Xp();Yp();_c();Qp();Jp();qo();Cc();em();wc();Pc();nm();Rc();om();am();lm();fm();dm();hm();xm();_m();ym();bm();Mm();Zo();kc();as();Qo();is();gc();Qe();um();vc();Lc();Mc()});var ci,Dm=R(()=>{(function(e){e[e.DEPTH_BUFFER_BIT=256]="DEPTH_BUFFER_BIT",e[e.STENCIL_BUFFER_BIT=1024]="STENCIL_BUFFER_BIT",e[e.COLOR_BUFFER_BIT=16384]="COLOR_BUFFER_BIT",e[e.POINTS=0]="POINTS",e[e.LINES=1]="LINES",e[e.LINE_LOOP=2]="LINE_LOOP",e[e.LINE_STRIP=3]="LINE_STRIP",e[e.TRIANGLES=4]="TRIANGLES",e[e.TRIANGLE_STRIP=5]="TRIANGLE_STRIP",e[e.TRIANGLE_FAN=6]="TRIANGLE_FAN",e[e.ZERO=0]="ZERO",e[e.ONE=1]="ONE",e[e.SRC_COLOR=768]="SRC_COLOR",e[e.ONE_MINUS_SRC_COLOR=769]="ONE_MINUS_SRC_COLOR",e[e.SRC_ALPHA=770]="SRC_ALPHA",e[e.ONE_MINUS_SRC_ALPHA=771]="ONE_MINUS_SRC_ALPHA",e[e.DST_ALPHA=772]="DST_ALPHA",e[e.ONE_MINUS_DST_ALPHA=773]="ONE_MINUS_DST_ALPHA",e[e.DST_COLOR=774]="DST_COLOR",e[e.ONE_MINUS_DST_COLOR=775]="ONE_MINUS_DST_COLOR",e[e.SRC_ALPHA_SATURATE=776]="SRC_ALPHA_SATURATE",e[e.CONSTANT_COLOR=32769]="CONSTANT_COLOR",e[e.ONE_MINUS_CONSTANT_COLOR=32770]="ONE_MINUS_CONSTANT_COLOR",e[e.CONSTANT_ALPHA=32771]="CONSTANT_ALPHA",e[e.ONE_MINUS_CONSTANT_ALPHA=32772]="ONE_MINUS_CONSTANT_ALPHA",e[e.FUNC_ADD=32774]="FUNC_ADD",e[e.FUNC_SUBTRACT=32778]="FUNC_SUBTRACT",e[e.FUNC_REVERSE_SUBTRACT=32779]="FUNC_REVERSE_SUBTRACT",e[e.BLEND_EQUATION=32777]="BLEND_EQUATION",e[e.BLEND_EQUATION_RGB=32777]="BLEND_EQUATION_RGB",e[e.BLEND_EQUATION_ALPHA=34877]="BLEND_EQUATION_ALPHA",e[e.BLEND_DST_RGB=32968]="BLEND_DST_RGB",e[e.BLEND_SRC_RGB=32969]="BLEND_SRC_RGB",e[e.BLEND_DST_ALPHA=32970]="BLEND_DST_ALPHA",e[e.BLEND_SRC_ALPHA=32971]="BLEND_SRC_ALPHA",e[e.BLEND_COLOR=32773]="BLEND_COLOR",e[e.ARRAY_BUFFER_BINDING=34964]="ARRAY_BUFFER_BINDING",e[e.ELEMENT_ARRAY_BUFFER_BINDING=34965]="ELEMENT_ARRAY_BUFFER_BINDING",e[e.LINE_WIDTH=2849]="LINE_WIDTH",e[e.ALIASED_POINT_SIZE_RANGE=33901]="ALIASED_POINT_SIZE_RANGE",e[e.ALIASED_LINE_WIDTH_RANGE=33902]="ALIASED_LINE_WIDTH_RANGE",e[e.CULL_FACE_MODE=2885]="CULL_FACE_MODE",e[e.FRONT_FACE=2886]="FRONT_FACE",e[e.DEPTH_RANGE=2928]="DEPTH_RANGE",e[e.DEPTH_WRITEMASK=2930]="DEPTH_WRITEMASK",e[e.DEPTH_CLEAR_VALUE=2931]="DEPTH_CLEAR_VALUE",e[e.DEPTH_FUNC=2932]="DEPTH_FUNC",e[e.STENCIL_CLEAR_VALUE=2961]="STENCIL_CLEAR_VALUE",e[e.STENCIL_FUNC=2962]="STENCIL_FUNC",e[e.STENCIL_FAIL=2964]="STENCIL_FAIL",e[e.STENCIL_PASS_DEPTH_FAIL=2965]="STENCIL_PASS_DEPTH_FAIL",e[e.STENCIL_PASS_DEPTH_PASS=2966]="STENCIL_PASS_DEPTH_PASS",e[e.STENCIL_REF=2967]="STENCIL_REF",e[e.STENCIL_VALUE_MASK=2963]="STENCIL_VALUE_MASK",e[e.STENCIL_WRITEMASK=2968]="STENCIL_WRITEMASK",e[e.STENCIL_BACK_FUNC=34816]="STENCIL_BACK_FUNC",e[e.STENCIL_BACK_FAIL=34817]="STENCIL_BACK_FAIL",e[e.STENCIL_BACK_PASS_DEPTH_FAIL=34818]="STENCIL_BACK_PASS_DEPTH_FAIL",e[e.STENCIL_BACK_PASS_DEPTH_PASS=34819]="STENCIL_BACK_PASS_DEPTH_PASS",e[e.STENCIL_BACK_REF=36003]="STENCIL_BACK_REF",e[e.STENCIL_BACK_VALUE_MASK=36004]="STENCIL_BACK_VALUE_MASK",e[e.STENCIL_BACK_WRITEMASK=36005]="STENCIL_BACK_WRITEMASK",e[e.VIEWPORT=2978]="VIEWPORT",e[e.SCISSOR_BOX=3088]="SCISSOR_BOX",e[e.COLOR_CLEAR_VALUE=3106]="COLOR_CLEAR_VALUE",e[e.COLOR_WRITEMASK=3107]="COLOR_WRITEMASK",e[e.UNPACK_ALIGNMENT=3317]="UNPACK_ALIGNMENT",e[e.PACK_ALIGNMENT=3333]="PACK_ALIGNMENT",e[e.MAX_TEXTURE_SIZE=3379]="MAX_TEXTURE_SIZE",e[e.MAX_VIEWPORT_DIMS=3386]="MAX_VIEWPORT_DIMS",e[e.SUBPIXEL_BITS=3408]="SUBPIXEL_BITS",e[e.RED_BITS=3410]="RED_BITS",e[e.GREEN_BITS=3411]="GREEN_BITS",e[e.BLUE_BITS=3412]="BLUE_BITS",e[e.ALPHA_BITS=3413]="ALPHA_BITS",e[e.DEPTH_BITS=3414]="DEPTH_BITS",e[e.STENCIL_BITS=3415]="STENCIL_BITS",e[e.POLYGON_OFFSET_UNITS=10752]="POLYGON_OFFSET_UNITS",e[e.POLYGON_OFFSET_FACTOR=32824]="POLYGON_OFFSET_FACTOR",e[e.TEXTURE_BINDING_2D=32873]="TEXTURE_BINDING_2D",e[e.SAMPLE_BUFFERS=32936]="SAMPLE_BUFFERS",e[e.SAMPLES=32937]="SAMPLES",e[e.SAMPLE_COVERAGE_VALUE=32938]="SAMPLE_COVERAGE_VALUE",e[e.SAMPLE_COVERAGE_INVERT=32939]="SAMPLE_COVERAGE_INVERT",e[e.COMPRESSED_TEXTURE_FORMATS=34467]="COMPRESSED_TEXTURE_FORMATS",e[e.VENDOR=7936]="VENDOR",e[e.RENDERER=7937]="RENDERER",e[e.VERSION=7938]="VERSION",e[e.IMPLEMENTATION_COLOR_READ_TYPE=35738]="IMPLEMENTATION_COLOR_READ_TYPE",e[e.IMPLEMENTATION_COLOR_READ_FORMAT=35739]="IMPLEMENTATION_COLOR_READ_FORMAT",e[e.BROWSER_DEFAULT_WEBGL=37444]="BROWSER_DEFAULT_WEBGL",e[e.STATIC_DRAW=35044]="STATIC_DRAW",e[e.STREAM_DRAW=35040]="STREAM_DRAW",e[e.DYNAMIC_DRAW=35048]="DYNAMIC_DRAW",e[e.ARRAY_BUFFER=34962]="ARRAY_BUFFER",e[e.ELEMENT_ARRAY_BUFFER=34963]="ELEMENT_ARRAY_BUFFER",e[e.BUFFER_SIZE=34660]="BUFFER_SIZE",e[e.BUFFER_USAGE=34661]="BUFFER_USAGE",e[e.CURRENT_VERTEX_ATTRIB=34342]="CURRENT_VERTEX_ATTRIB",e[e.VERTEX_ATTRIB_ARRAY_ENABLED=34338]="VERTEX_ATTRIB_ARRAY_ENABLED",e[e.VERTEX_ATTRIB_ARRAY_SIZE=34339]="VERTEX_ATTRIB_ARRAY_SIZE",e[e.VERTEX_ATTRIB_ARRAY_STRIDE=34340]="VERTEX_ATTRIB_ARRAY_STRIDE",e[e.VERTEX_ATTRIB_ARRAY_TYPE=34341]="VERTEX_ATTRIB_ARRAY_TYPE",e[e.VERTEX_ATTRIB_ARRAY_NORMALIZED=34922]="VERTEX_ATTRIB_ARRAY_NORMALIZED",e[e.VERTEX_ATTRIB_ARRAY_POINTER=34373]="VERTEX_ATTRIB_ARRAY_POINTER",e[e.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING=34975]="VERTEX_ATTRIB_ARRAY_BUFFER_BINDING",e[e.CULL_FACE=2884]="CULL_FACE",e[e.FRONT=1028]="FRONT",e[e.BACK=1029]="BACK",e[e.FRONT_AND_BACK=1032]="FRONT_AND_BACK",e[e.BLEND=3042]="BLEND",e[e.DEPTH_TEST=2929]="DEPTH_TEST",e[e.DITHER=3024]="DITHER",e[e.POLYGON_OFFSET_FILL=32823]="POLYGON_OFFSET_FILL",e[e.SAMPLE_ALPHA_TO_COVERAGE=32926]="SAMPLE_ALPHA_TO_COVERAGE",e[e.SAMPLE_COVERAGE=32928]="SAMPLE_COVERAGE",e[e.SCISSOR_TEST=3089]="SCISSOR_TEST",e[e.STENCIL_TEST=2960]="STENCIL_TEST",e[e.NO_ERROR=0]="NO_ERROR",e[e.INVALID_ENUM=1280]="INVALID_ENUM",e[e.INVALID_VALUE=1281]="INVALID_VALUE",e[e.INVALID_OPERATION=1282]="INVALID_OPERATION",e[e.OUT_OF_MEMORY=1285]="OUT_OF_MEMORY",e[e.CONTEXT_LOST_WEBGL=37442]="CONTEXT_LOST_WEBGL",e[e.CW=2304]="CW",e[e.CCW=2305]="CCW",e[e.DONT_CARE=4352]="DONT_CARE",e[e.FASTEST=4353]="FASTEST",e[e.NICEST=4354]="NICEST",e[e.GENERATE_MIPMAP_HINT=33170]="GENERATE_MIPMAP_HINT",e[e.BYTE=5120]="BYTE",e[e.UNSIGNED_BYTE=5121]="UNSIGNED_BYTE",e[e.SHORT=5122]="SHORT",e[e.UNSIGNED_SHORT=5123]="UNSIGNED_SHORT",e[e.INT=5124]="INT",e[e.UNSIGNED_INT=5125]="UNSIGNED_INT",e[e.FLOAT=5126]="FLOAT",e[e.DOUBLE=5130]="DOUBLE",e[e.DEPTH_COMPONENT=6402]="DEPTH_COMPONENT",e[e.ALPHA=6406]="ALPHA",e[e.RGB=6407]="RGB",e[e.RGBA=6408]="RGBA",e[e.LUMINANCE=6409]="LUMINANCE",e[e.LUMINANCE_ALPHA=6410]="LUMINANCE_ALPHA",e[e.UNSIGNED_SHORT_4_4_4_4=32819]="UNSIGNED_SHORT_4_4_4_4",e[e.UNSIGNED_SHORT_5_5_5_1=32820]="UNSIGNED_SHORT_5_5_5_1",e[e.UNSIGNED_SHORT_5_6_5=33635]="UNSIGNED_SHORT_5_6_5",e[e.FRAGMENT_SHADER=35632]="FRAGMENT_SHADER",e[e.VERTEX_SHADER=35633]="VERTEX_SHADER",e[e.COMPILE_STATUS=35713]="COMPILE_STATUS",e[e.DELETE_STATUS=35712]="DELETE_STATUS",e[e.LINK_STATUS=35714]="LINK_STATUS",e[e.VALIDATE_STATUS=35715]="VALIDATE_STATUS",e[e.ATTACHED_SHADERS=35717]="ATTACHED_SHADERS",e[e.ACTIVE_ATTRIBUTES=35721]="ACTIVE_ATTRIBUTES",e[e.ACTIVE_UNIFORMS=35718]="ACTIVE_UNIFORMS",e[e.MAX_VERTEX_ATTRIBS=34921]="MAX_VERTEX_ATTRIBS",e[e.MAX_VERTEX_UNIFORM_VECTORS=36347]="MAX_VERTEX_UNIFORM_VECTORS",e[e.MAX_VARYING_VECTORS=36348]="MAX_VARYING_VECTORS",e[e.MAX_COMBINED_TEXTURE_IMAGE_UNITS=35661]="MAX_COMBINED_TEXTURE_IMAGE_UNITS",e[e.MAX_VERTEX_TEXTURE_IMAGE_UNITS=35660]="MAX_VERTEX_TEXTURE_IMAGE_UNITS",e[e.MAX_TEXTURE_IMAGE_UNITS=34930]="MAX_TEXTURE_IMAGE_UNITS",e[e.MAX_FRAGMENT_UNIFORM_VECTORS=36349]="MAX_FRAGMENT_UNIFORM_VECTORS",e[e.SHADER_TYPE=35663]="SHADER_TYPE",e[e.SHADING_LANGUAGE_VERSION=35724]="SHADING_LANGUAGE_VERSION",e[e.CURRENT_PROGRAM=35725]="CURRENT_PROGRAM",e[e.NEVER=512]="NEVER",e[e.LESS=513]="LESS",e[e.EQUAL=514]="EQUAL",e[e.LEQUAL=515]="LEQUAL",e[e.GREATER=516]="GREATER",e[e.NOTEQUAL=517]="NOTEQUAL",e[e.GEQUAL=518]="GEQUAL",e[e.ALWAYS=519]="ALWAYS",e[e.KEEP=7680]="KEEP",e[e.REPLACE=7681]="REPLACE",e[e.INCR=7682]="INCR",e[e.DECR=7683]="DECR",e[e.INVERT=5386]="INVERT",e[e.INCR_WRAP=34055]="INCR_WRAP",e[e.DECR_WRAP=34056]="DECR_WRAP",e[e.NEAREST=9728]="NEAREST",e[e.LINEAR=9729]="LINEAR",e[e.NEAREST_MIPMAP_NEAREST=9984]="NEAREST_MIPMAP_NEAREST",e[e.LINEAR_MIPMAP_NEAREST=9985]="LINEAR_MIPMAP_NEAREST",e[e.NEAREST_MIPMAP_LINEAR=9986]="NEAREST_MIPMAP_LINEAR",e[e.LINEAR_MIPMAP_LINEAR=9987]="LINEAR_MIPMAP_LINEAR",e[e.TEXTURE_MAG_FILTER=10240]="TEXTURE_MAG_FILTER",e[e.TEXTURE_MIN_FILTER=10241]="TEXTURE_MIN_FILTER",e[e.TEXTURE_WRAP_S=10242]="TEXTURE_WRAP_S",e[e.TEXTURE_WRAP_T=10243]="TEXTURE_WRAP_T",e[e.TEXTURE_2D=3553]="TEXTURE_2D",e[e.TEXTURE=5890]="TEXTURE",e[e.TEXTURE_CUBE_MAP=34067]="TEXTURE_CUBE_MAP",e[e.TEXTURE_BINDING_CUBE_MAP=34068]="TEXTURE_BINDING_CUBE_MAP",e[e.TEXTURE_CUBE_MAP_POSITIVE_X=34069]="TEXTURE_CUBE_MAP_POSITIVE_X",e[e.TEXTURE_CUBE_MAP_NEGATIVE_X=34070]="TEXTURE_CUBE_MAP_NEGATIVE_X",e[e.TEXTURE_CUBE_MAP_POSITIVE_Y=34071]="TEXTURE_CUBE_MAP_POSITIVE_Y",e[e.TEXTURE_CUBE_MAP_NEGATIVE_Y=34072]="TEXTURE_CUBE_MAP_NEGATIVE_Y",e[e.TEXTURE_CUBE_MAP_POSITIVE_Z=34073]="TEXTURE_CUBE_MAP_POSITIVE_Z",e[e.TEXTURE_CUBE_MAP_NEGATIVE_Z=34074]="TEXTURE_CUBE_MAP_NEGATIVE_Z",e[e.MAX_CUBE_MAP_TEXTURE_SIZE=34076]="MAX_CUBE_MAP_TEXTURE_SIZE",e[e.TEXTURE0=33984]="TEXTURE0",e[e.ACTIVE_TEXTURE=34016]="ACTIVE_TEXTURE",e[e.REPEAT=10497]="REPEAT",e[e.CLAMP_TO_EDGE=33071]="CLAMP_TO_EDGE",e[e.MIRRORED_REPEAT=33648]="MIRRORED_REPEAT",e[e.TEXTURE_WIDTH=4096]="TEXTURE_WIDTH",e[e.TEXTURE_HEIGHT=4097]="TEXTURE_HEIGHT",e[e.FLOAT_VEC2=35664]="FLOAT_VEC2",e[e.FLOAT_VEC3=35665]="FLOAT_VEC3",e[e.FLOAT_VEC4=35666]="FLOAT_VEC4",e[e.INT_VEC2=35667]="INT_VEC2",e[e.INT_VEC3=35668]="INT_VEC3",e[e.INT_VEC4=35669]="INT_VEC4",e[e.BOOL=35670]="BOOL",e[e.BOOL_VEC2=35671]="BOOL_VEC2",e[e.BOOL_VEC3=35672]="BOOL_VEC3",e[e.BOOL_VEC4=35673]="BOOL_VEC4",e[e.FLOAT_MAT2=35674]="FLOAT_MAT2",e[e.FLOAT_MAT3=35675]="FLOAT_MAT3",e[e.FLOAT_MAT4=35676]="FLOAT_MAT4",e[e.SAMPLER_2D=35678]="SAMPLER_2D",e[e.SAMPLER_CUBE=35680]="SAMPLER_CUBE",e[e.LOW_FLOAT=36336]="LOW_FLOAT",e[e.MEDIUM_FLOAT=36337]="MEDIUM_FLOAT",e[e.HIGH_FLOAT=36338]="HIGH_FLOAT",e[e.LOW_INT=36339]="LOW_INT",e[e.MEDIUM_INT=36340]="MEDIUM_INT",e[e.HIGH_INT=36341]="HIGH_INT",e[e.FRAMEBUFFER=36160]="FRAMEBUFFER",e[e.RENDERBUFFER=36161]="RENDERBUFFER",e[e.RGBA4=32854]="RGBA4",e[e.RGB5_A1=32855]="RGB5_A1",e[e.RGB565=36194]="RGB565",e[e.DEPTH_COMPONENT16=33189]="DEPTH_COMPONENT16",e[e.STENCIL_INDEX=6401]="STENCIL_INDEX",e[e.STENCIL_INDEX8=36168]="STENCIL_INDEX8",e[e.DEPTH_STENCIL=34041]="DEPTH_STENCIL",e[e.RENDERBUFFER_WIDTH=36162]="RENDERBUFFER_WIDTH",e[e.RENDERBUFFER_HEIGHT=36163]="RENDERBUFFER_HEIGHT",e[e.RENDERBUFFER_INTERNAL_FORMAT=36164]="RENDERBUFFER_INTERNAL_FORMAT",e[e.RENDERBUFFER_RED_SIZE=36176]="RENDERBUFFER_RED_SIZE",e[e.RENDERBUFFER_GREEN_SIZE=36177]="RENDERBUFFER_GREEN_SIZE",e[e.RENDERBUFFER_BLUE_SIZE=36178]="RENDERBUFFER_BLUE_SIZE",e[e.RENDERBUFFER_ALPHA_SIZE=36179]="RENDERBUFFER_ALPHA_SIZE",e[e.RENDERBUFFER_DEPTH_SIZE=36180]="RENDERBUFFER_DEPTH_SIZE",e[e.RENDERBUFFER_STENCIL_SIZE=36181]="RENDERBUFFER_STENCIL_SIZE",e[e.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE=36048]="FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE",e[e.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME=36049]="FRAMEBUFFER_ATTACHMENT_OBJECT_NAME",e[e.FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL=36050]="FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL",e[e.FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE=36051]="FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE",e[e.COLOR_ATTACHMENT0=36064]="COLOR_ATTACHMENT0",e[e.DEPTH_ATTACHMENT=36096]="DEPTH_ATTACHMENT",e[e.STENCIL_ATTACHMENT=36128]="STENCIL_ATTACHMENT",e[e.DEPTH_STENCIL_ATTACHMENT=33306]="DEPTH_STENCIL_ATTACHMENT",e[e.NONE=0]="NONE",e[e.FRAMEBUFFER_COMPLETE=36053]="FRAMEBUFFER_COMPLETE",e[e.FRAMEBUFFER_INCOMPLETE_ATTACHMENT=36054]="FRAMEBUFFER_INCOMPLETE_ATTACHMENT",e[e.FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT=36055]="FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT",e[e.FRAMEBUFFER_INCOMPLETE_DIMENSIONS=36057]="FRAMEBUFFER_INCOMPLETE_DIMENSIONS",e[e.FRAMEBUFFER_UNSUPPORTED=36061]="FRAMEBUFFER_UNSUPPORTED",e[e.FRAMEBUFFER_BINDING=36006]="FRAMEBUFFER_BINDING",e[e.RENDERBUFFER_BINDING=36007]="RENDERBUFFER_BINDING",e[e.READ_FRAMEBUFFER=36008]="READ_FRAMEBUFFER",e[e.DRAW_FRAMEBUFFER=36009]="DRAW_FRAMEBUFFER",e[e.MAX_RENDERBUFFER_SIZE=34024]="MAX_RENDERBUFFER_SIZE",e[e.INVALID_FRAMEBUFFER_OPERATION=1286]="INVALID_FRAMEBUFFER_OPERATION",e[e.UNPACK_FLIP_Y_WEBGL=37440]="UNPACK_FLIP_Y_WEBGL",e[e.UNPACK_PREMULTIPLY_ALPHA_WEBGL=37441]="UNPACK_PREMULTIPLY_ALPHA_WEBGL",e[e.UNPACK_COLORSPACE_CONVERSION_WEBGL=37443]="UNPACK_COLORSPACE_CONVERSION_WEBGL",e[e.READ_BUFFER=3074]="READ_BUFFER",e[e.UNPACK_ROW_LENGTH=3314]="UNPACK_ROW_LENGTH",e[e.UNPACK_SKIP_ROWS=3315]="UNPACK_SKIP_ROWS",e[e.UNPACK_SKIP_PIXELS=3316]="UNPACK_SKIP_PIXELS",e[e.PACK_ROW_LENGTH=3330]="PACK_ROW_LENGTH",e[e.PACK_SKIP_ROWS=3331]="PACK_SKIP_ROWS",e[e.PACK_SKIP_PIXELS=3332]="PACK_SKIP_PIXELS",e[e.TEXTURE_BINDING_3D=32874]="TEXTURE_BINDING_3D",e[e.UNPACK_SKIP_IMAGES=32877]="UNPACK_SKIP_IMAGES",e[e.UNPACK_IMAGE_HEIGHT=32878]="UNPACK_IMAGE_HEIGHT",e[e.MAX_3D_TEXTURE_SIZE=32883]="MAX_3D_TEXTURE_SIZE",e[e.MAX_ELEMENTS_VERTICES=33e3]="MAX_ELEMENTS_VERTICES",e[e.MAX_ELEMENTS_INDICES=33001]="MAX_ELEMENTS_INDICES",e[e.MAX_TEXTURE_LOD_BIAS=34045]="MAX_TEXTURE_LOD_BIAS",e[e.MAX_FRAGMENT_UNIFORM_COMPONENTS=35657]="MAX_FRAGMENT_UNIFORM_COMPONENTS",e[e.MAX_VERTEX_UNIFORM_COMPONENTS=35658]="MAX_VERTEX_UNIFORM_COMPONENTS",e[e.MAX_ARRAY_TEXTURE_LAYERS=35071]="MAX_ARRAY_TEXTURE_LAYERS",e[e.MIN_PROGRAM_TEXEL_OFFSET=35076]="MIN_PROGRAM_TEXEL_OFFSET",e[e.MAX_PROGRAM_TEXEL_OFFSET=35077]="MAX_PROGRAM_TEXEL_OFFSET",e[e.MAX_VARYING_COMPONENTS=35659]="MAX_VARYING_COMPONENTS",e[e.FRAGMENT_SHADER_DERIVATIVE_HINT=35723]="FRAGMENT_SHADER_DERIVATIVE_HINT",e[e.RASTERIZER_DISCARD=35977]="RASTERIZER_DISCARD",e[e.VERTEX_ARRAY_BINDING=34229]="VERTEX_ARRAY_BINDING",e[e.MAX_VERTEX_OUTPUT_COMPONENTS=37154]="MAX_VERTEX_OUTPUT_COMPONENTS",e[e.MAX_FRAGMENT_INPUT_COMPONENTS=37157]="MAX_FRAGMENT_INPUT_COMPONENTS",e[e.MAX_SERVER_WAIT_TIMEOUT=37137]="MAX_SERVER_WAIT_TIMEOUT",e[e.MAX_ELEMENT_INDEX=36203]="MAX_ELEMENT_INDEX",e[e.RED=6403]="RED",e[e.RGB8=32849]="RGB8",e[e.RGBA8=32856]="RGBA8",e[e.RGB10_A2=32857]="RGB10_A2",e[e.TEXTURE_3D=32879]="TEXTURE_3D",e[e.TEXTURE_WRAP_R=32882]="TEXTURE_WRAP_R",e[e.TEXTURE_MIN_LOD=33082]="TEXTURE_MIN_LOD",e[e.TEXTURE_MAX_LOD=33083]="TEXTURE_MAX_LOD",e[e.TEXTURE_BASE_LEVEL=33084]="TEXTURE_BASE_LEVEL",e[e.TEXTURE_MAX_LEVEL=33085]="TEXTURE_MAX_LEVEL",e[e.TEXTURE_COMPARE_MODE=34892]="TEXTURE_COMPARE_MODE",e[e.TEXTURE_COMPARE_FUNC=34893]="TEXTURE_COMPARE_FUNC",e[e.SRGB=35904]="SRGB",e[e.SRGB8=35905]="SRGB8",e[e.SRGB8_ALPHA8=35907]="SRGB8_ALPHA8",e[e.COMPARE_REF_TO_TEXTURE=34894]="COMPARE_REF_TO_TEXTURE",e[e.RGBA32F=34836]="RGBA32F",e[e.RGB32F=34837]="RGB32F",e[e.RGBA16F=34842]="RGBA16F",e[e.RGB16F=34843]="RGB16F",e[e.TEXTURE_2D_ARRAY=35866]="TEXTURE_2D_ARRAY",e[e.TEXTURE_BINDING_2D_ARRAY=35869]="TEXTURE_BINDING_2D_ARRAY",e[e.R11F_G11F_B10F=35898]="R11F_G11F_B10F",e[e.RGB9_E5=35901]="RGB9_E5",e[e.RGBA32UI=36208]="RGBA32UI",e[e.RGB32UI=36209]="RGB32UI",e[e.RGBA16UI=36214]="RGBA16UI",e[e.RGB16UI=36215]="RGB16UI",e[e.RGBA8UI=36220]="RGBA8UI",e[e.RGB8UI=36221]="RGB8UI",e[e.RGBA32I=36226]="RGBA32I",e[e.RGB32I=36227]="RGB32I",e[e.RGBA16I=36232]="RGBA16I",e[e.RGB16I=36233]="RGB16I",e[e.RGBA8I=36238]="RGBA8I",e[e.RGB8I=36239]="RGB8I",e[e.RED_INTEGER=36244]="RED_INTEGER",e[e.RGB_INTEGER=36248]="RGB_INTEGER",e[e.RGBA_INTEGER=36249]="RGBA_INTEGER",e[e.R8=33321]="R8",e[e.RG8=33323]="RG8",e[e.R16F=33325]="R16F",e[e.R32F=33326]="R32F",e[e.RG16F=33327]="RG16F",e[e.RG32F=33328]="RG32F",e[e.R8I=33329]="R8I",e[e.R8UI=33330]="R8UI",e[e.R16I=33331]="R16I",e[e.R16UI=33332]="R16UI",e[e.R32I=33333]="R32I",e[e.R32UI=33334]="R32UI",e[e.RG8I=33335]="RG8I",e[e.RG8UI=33336]="RG8UI",e[e.RG16I=33337]="RG16I",e[e.RG16UI=33338]="RG16UI",e[e.RG32I=33339]="RG32I",e[e.RG32UI=33340]="RG32UI",e[e.R8_SNORM=36756]="R8_SNORM",e[e.RG8_SNORM=36757]="RG8_SNORM",e[e.RGB8_SNORM=36758]="RGB8_SNORM",e[e.RGBA8_SNORM=36759]="RGBA8_SNORM",e[e.RGB10_A2UI=36975]="RGB10_A2UI",e[e.TEXTURE_IMMUTABLE_FORMAT=37167]="TEXTURE_IMMUTABLE_FORMAT",e[e.TEXTURE_IMMUTABLE_LEVELS=33503]="TEXTURE_IMMUTABLE_LEVELS",e[e.UNSIGNED_INT_2_10_10_10_REV=33640]="UNSIGNED_INT_2_10_10_10_REV",e[e.UNSIGNED_INT_10F_11F_11F_REV=35899]="UNSIGNED_INT_10F_11F_11F_REV",e[e.UNSIGNED_INT_5_9_9_9_REV=35902]="UNSIGNED_INT_5_9_9_9_REV",e[e.FLOAT_32_UNSIGNED_INT_24_8_REV=36269]="FLOAT_32_UNSIGNED_INT_24_8_REV",e[e.UNSIGNED_INT_24_8=34042]="UNSIGNED_INT_24_8",e[e.HALF_FLOAT=5131]="HALF_FLOAT",e[e.RG=33319]="RG",e[e.RG_INTEGER=33320]="RG_INTEGER",e[e.INT_2_10_10_10_REV=36255]="INT_2_10_10_10_REV",e[e.CURRENT_QUERY=34917]="CURRENT_QUERY",e[e.QUERY_RESULT=34918]="QUERY_RESULT",e[e.QUERY_RESULT_AVAILABLE=34919]="QUERY_RESULT_AVAILABLE",e[e.ANY_SAMPLES_PASSED=35887]="ANY_SAMPLES_PASSED",e[e.ANY_SAMPLES_PASSED_CONSERVATIVE=36202]="ANY_SAMPLES_PASSED_CONSERVATIVE",e[e.MAX_DRAW_BUFFERS=34852]="MAX_DRAW_BUFFERS",e[e.DRAW_BUFFER0=34853]="DRAW_BUFFER0",e[e.DRAW_BUFFER1=34854]="DRAW_BUFFER1",e[e.DRAW_BUFFER2=34855]="DRAW_BUFFER2",e[e.DRAW_BUFFER3=34856]="DRAW_BUFFER3",e[e.DRAW_BUFFER4=34857]="DRAW_BUFFER4",e[e.DRAW_BUFFER5=34858]="DRAW_BUFFER5",e[e.DRAW_BUFFER6=34859]="DRAW_BUFFER6",e[e.DRAW_BUFFER7=34860]="DRAW_BUFFER7",e[e.DRAW_BUFFER8=34861]="DRAW_BUFFER8",e[e.DRAW_BUFFER9=34862]="DRAW_BUFFER9",e[e.DRAW_BUFFER10=34863]="DRAW_BUFFER10",e[e.DRAW_BUFFER11=34864]="DRAW_BUFFER11",e[e.DRAW_BUFFER12=34865]="DRAW_BUFFER12",e[e.DRAW_BUFFER13=34866]="DRAW_BUFFER13",e[e.DRAW_BUFFER14=34867]="DRAW_BUFFER14",e[e.DRAW_BUFFER15=34868]="DRAW_BUFFER15",e[e.MAX_COLOR_ATTACHMENTS=36063]="MAX_COLOR_ATTACHMENTS",e[e.COLOR_ATTACHMENT1=36065]="COLOR_ATTACHMENT1",e[e.COLOR_ATTACHMENT2=36066]="COLOR_ATTACHMENT2",e[e.COLOR_ATTACHMENT3=36067]="COLOR_ATTACHMENT3",e[e.COLOR_ATTACHMENT4=36068]="COLOR_ATTACHMENT4",e[e.COLOR_ATTACHMENT5=36069]="COLOR_ATTACHMENT5",e[e.COLOR_ATTACHMENT6=36070]="COLOR_ATTACHMENT6",e[e.COLOR_ATTACHMENT7=36071]="COLOR_ATTACHMENT7",e[e.COLOR_ATTACHMENT8=36072]="COLOR_ATTACHMENT8",e[e.COLOR_ATTACHMENT9=36073]="COLOR_ATTACHMENT9",e[e.COLOR_ATTACHMENT10=36074]="COLOR_ATTACHMENT10",e[e.COLOR_ATTACHMENT11=36075]="COLOR_ATTACHMENT11",e[e.COLOR_ATTACHMENT12=36076]="COLOR_ATTACHMENT12",e[e.COLOR_ATTACHMENT13=36077]="COLOR_ATTACHMENT13",e[e.COLOR_ATTACHMENT14=36078]="COLOR_ATTACHMENT14",e[e.COLOR_ATTACHMENT15=36079]="COLOR_ATTACHMENT15",e[e.SAMPLER_3D=35679]="SAMPLER_3D",e[e.SAMPLER_2D_SHADOW=35682]="SAMPLER_2D_SHADOW",e[e.SAMPLER_2D_ARRAY=36289]="SAMPLER_2D_ARRAY",e[e.SAMPLER_2D_ARRAY_SHADOW=36292]="SAMPLER_2D_ARRAY_SHADOW",e[e.SAMPLER_CUBE_SHADOW=36293]="SAMPLER_CUBE_SHADOW",e[e.INT_SAMPLER_2D=36298]="INT_SAMPLER_2D",e[e.INT_SAMPLER_3D=36299]="INT_SAMPLER_3D",e[e.INT_SAMPLER_CUBE=36300]="INT_SAMPLER_CUBE",e[e.INT_SAMPLER_2D_ARRAY=36303]="INT_SAMPLER_2D_ARRAY",e[e.UNSIGNED_INT_SAMPLER_2D=36306]="UNSIGNED_INT_SAMPLER_2D",e[e.UNSIGNED_INT_SAMPLER_3D=36307]="UNSIGNED_INT_SAMPLER_3D",e[e.UNSIGNED_INT_SAMPLER_CUBE=36308]="UNSIGNED_INT_SAMPLER_CUBE",e[e.UNSIGNED_INT_SAMPLER_2D_ARRAY=36311]="UNSIGNED_INT_SAMPLER_2D_ARRAY",e[e.MAX_SAMPLES=36183]="MAX_SAMPLES",e[e.SAMPLER_BINDING=35097]="SAMPLER_BINDING",e[e.PIXEL_PACK_BUFFER=35051]="PIXEL_PACK_BUFFER",e[e.PIXEL_UNPACK_BUFFER=35052]="PIXEL_UNPACK_BUFFER",e[e.PIXEL_PACK_BUFFER_BINDING=35053]="PIXEL_PACK_BUFFER_BINDING",e[e.PIXEL_UNPACK_BUFFER_BINDING=35055]="PIXEL_UNPACK_BUFFER_BINDING",e[e.COPY_READ_BUFFER=36662]="COPY_READ_BUFFER",e[e.COPY_WRITE_BUFFER=36663]="COPY_WRITE_BUFFER",e[e.COPY_READ_BUFFER_BINDING=36662]="COPY_READ_BUFFER_BINDING",e[e.COPY_WRITE_BUFFER_BINDING=36663]="COPY_WRITE_BUFFER_BINDING",e[e.FLOAT_MAT2x3=35685]="FLOAT_MAT2x3",e[e.FLOAT_MAT2x4=35686]="FLOAT_MAT2x4",e[e.FLOAT_MAT3x2=35687]="FLOAT_MAT3x2",e[e.FLOAT_MAT3x4=35688]="FLOAT_MAT3x4",e[e.FLOAT_MAT4x2=35689]="FLOAT_MAT4x2",e[e.FLOAT_MAT4x3=35690]="FLOAT_MAT4x3",e[e.UNSIGNED_INT_VEC2=36294]="UNSIGNED_INT_VEC2",e[e.UNSIGNED_INT_VEC3=36295]="UNSIGNED_INT_VEC3",e[e.UNSIGNED_INT_VEC4=36296]="UNSIGNED_INT_VEC4",e[e.UNSIGNED_NORMALIZED=35863]="UNSIGNED_NORMALIZED",e[e.SIGNED_NORMALIZED=36764]="SIGNED_NORMALIZED",e[e.VERTEX_ATTRIB_ARRAY_INTEGER=35069]="VERTEX_ATTRIB_ARRAY_INTEGER",e[e.VERTEX_ATTRIB_ARRAY_DIVISOR=35070]="VERTEX_ATTRIB_ARRAY_DIVISOR",e[e.TRANSFORM_FEEDBACK_BUFFER_MODE=35967]="TRANSFORM_FEEDBACK_BUFFER_MODE",e[e.MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS=35968]="MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS",e[e.TRANSFORM_FEEDBACK_VARYINGS=35971]="TRANSFORM_FEEDBACK_VARYINGS",e[e.TRANSFORM_FEEDBACK_BUFFER_START=35972]="TRANSFORM_FEEDBACK_BUFFER_START",e[e.TRANSFORM_FEEDBACK_BUFFER_SIZE=35973]="TRANSFORM_FEEDBACK_BUFFER_SIZE",e[e.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN=35976]="TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN",e[e.MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS=35978]="MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS",e[e.MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS=35979]="MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS",e[e.INTERLEAVED_ATTRIBS=35980]="INTERLEAVED_ATTRIBS",e[e.SEPARATE_ATTRIBS=35981]="SEPARATE_ATTRIBS",e[e.TRANSFORM_FEEDBACK_BUFFER=35982]="TRANSFORM_FEEDBACK_BUFFER",e[e.TRANSFORM_FEEDBACK_BUFFER_BINDING=35983]="TRANSFORM_FEEDBACK_BUFFER_BINDING",e[e.TRANSFORM_FEEDBACK=36386]="TRANSFORM_FEEDBACK",e[e.TRANSFORM_FEEDBACK_PAUSED=36387]="TRANSFORM_FEEDBACK_PAUSED",e[e.TRANSFORM_FEEDBACK_ACTIVE=36388]="TRANSFORM_FEEDBACK_ACTIVE",e[e.TRANSFORM_FEEDBACK_BINDING=36389]="TRANSFORM_FEEDBACK_BINDING",e[e.FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING=33296]="FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING",e[e.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE=33297]="FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE",e[e.FRAMEBUFFER_ATTACHMENT_RED_SIZE=33298]="FRAMEBUFFER_ATTACHMENT_RED_SIZE",e[e.FRAMEBUFFER_ATTACHMENT_GREEN_SIZE=33299]="FRAMEBUFFER_ATTACHMENT_GREEN_SIZE",e[e.FRAMEBUFFER_ATTACHMENT_BLUE_SIZE=33300]="FRAMEBUFFER_ATTACHMENT_BLUE_SIZE",e[e.FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE=33301]="FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE",e[e.FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE=33302]="FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE",e[e.FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE=33303]="FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE",e[e.FRAMEBUFFER_DEFAULT=33304]="FRAMEBUFFER_DEFAULT",e[e.DEPTH24_STENCIL8=35056]="DEPTH24_STENCIL8",e[e.DRAW_FRAMEBUFFER_BINDING=36006]="DRAW_FRAMEBUFFER_BINDING",e[e.READ_FRAMEBUFFER_BINDING=36010]="READ_FRAMEBUFFER_BINDING",e[e.RENDERBUFFER_SAMPLES=36011]="RENDERBUFFER_SAMPLES",e[e.FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER=36052]="FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER",e[e.FRAMEBUFFER_INCOMPLETE_MULTISAMPLE=36182]="FRAMEBUFFER_INCOMPLETE_MULTISAMPLE",e[e.UNIFORM_BUFFER=35345]="UNIFORM_BUFFER",e[e.UNIFORM_BUFFER_BINDING=35368]="UNIFORM_BUFFER_BINDING",e[e.UNIFORM_BUFFER_START=35369]="UNIFORM_BUFFER_START",e[e.UNIFORM_BUFFER_SIZE=35370]="UNIFORM_BUFFER_SIZE",e[e.MAX_VERTEX_UNIFORM_BLOCKS=35371]="MAX_VERTEX_UNIFORM_BLOCKS",e[e.MAX_FRAGMENT_UNIFORM_BLOCKS=35373]="MAX_FRAGMENT_UNIFORM_BLOCKS",e[e.MAX_COMBINED_UNIFORM_BLOCKS=35374]="MAX_COMBINED_UNIFORM_BLOCKS",e[e.MAX_UNIFORM_BUFFER_BINDINGS=35375]="MAX_UNIFORM_BUFFER_BINDINGS",e[e.MAX_UNIFORM_BLOCK_SIZE=35376]="MAX_UNIFORM_BLOCK_SIZE",e[e.MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS=35377]="MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS",e[e.MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS=35379]="MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS",e[e.UNIFORM_BUFFER_OFFSET_ALIGNMENT=35380]="UNIFORM_BUFFER_OFFSET_ALIGNMENT",e[e.ACTIVE_UNIFORM_BLOCKS=35382]="ACTIVE_UNIFORM_BLOCKS",e[e.UNIFORM_TYPE=35383]="UNIFORM_TYPE",e[e.UNIFORM_SIZE=35384]="UNIFORM_SIZE",e[e.UNIFORM_BLOCK_INDEX=35386]="UNIFORM_BLOCK_INDEX",e[e.UNIFORM_OFFSET=35387]="UNIFORM_OFFSET",e[e.UNIFORM_ARRAY_STRIDE=35388]="UNIFORM_ARRAY_STRIDE",e[e.UNIFORM_MATRIX_STRIDE=35389]="UNIFORM_MATRIX_STRIDE",e[e.UNIFORM_IS_ROW_MAJOR=35390]="UNIFORM_IS_ROW_MAJOR",e[e.UNIFORM_BLOCK_BINDING=35391]="UNIFORM_BLOCK_BINDING",e[e.UNIFORM_BLOCK_DATA_SIZE=35392]="UNIFORM_BLOCK_DATA_SIZE",e[e.UNIFORM_BLOCK_ACTIVE_UNIFORMS=35394]="UNIFORM_BLOCK_ACTIVE_UNIFORMS",e[e.UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES=35395]="UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES",e[e.UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER=35396]="UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER",e[e.UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER=35398]="UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER",e[e.OBJECT_TYPE=37138]="OBJECT_TYPE",e[e.SYNC_CONDITION=37139]="SYNC_CONDITION",e[e.SYNC_STATUS=37140]="SYNC_STATUS",e[e.SYNC_FLAGS=37141]="SYNC_FLAGS",e[e.SYNC_FENCE=37142]="SYNC_FENCE",e[e.SYNC_GPU_COMMANDS_COMPLETE=37143]="SYNC_GPU_COMMANDS_COMPLETE",e[e.UNSIGNALED=37144]="UNSIGNALED",e[e.SIGNALED=37145]="SIGNALED",e[e.ALREADY_SIGNALED=37146]="ALREADY_SIGNALED",e[e.TIMEOUT_EXPIRED=37147]="TIMEOUT_EXPIRED",e[e.CONDITION_SATISFIED=37148]="CONDITION_SATISFIED",e[e.WAIT_FAILED=37149]="WAIT_FAILED",e[e.SYNC_FLUSH_COMMANDS_BIT=1]="SYNC_FLUSH_COMMANDS_BIT",e[e.COLOR=6144]="COLOR",e[e.DEPTH=6145]="DEPTH",e[e.STENCIL=6146]="STENCIL",e[e.MIN=32775]="MIN",e[e.MAX=32776]="MAX",e[e.DEPTH_COMPONENT24=33190]="DEPTH_COMPONENT24",e[e.STREAM_READ=35041]="STREAM_READ",e[e.STREAM_COPY=35042]="STREAM_COPY",e[e.STATIC_READ=35045]="STATIC_READ",e[e.STATIC_COPY=35046]="STATIC_COPY",e[e.DYNAMIC_READ=35049]="DYNAMIC_READ",e[e.DYNAMIC_COPY=35050]="DYNAMIC_COPY",e[e.DEPTH_COMPONENT32F=36012]="DEPTH_COMPONENT32F",e[e.DEPTH32F_STENCIL8=36013]="DEPTH32F_STENCIL8",e[e.INVALID_INDEX=4294967295]="INVALID_INDEX",e[e.TIMEOUT_IGNORED=-1]="TIMEOUT_IGNORED",e[e.MAX_CLIENT_WAIT_TIMEOUT_WEBGL=37447]="MAX_CLIENT_WAIT_TIMEOUT_WEBGL",e[e.UNMASKED_VENDOR_WEBGL=37445]="UNMASKED_VENDOR_WEBGL",e[e.UNMASKED_RENDERER_WEBGL=37446]="UNMASKED_RENDERER_WEBGL",e[e.MAX_TEXTURE_MAX_ANISOTROPY_EXT=34047]="MAX_TEXTURE_MAX_ANISOTROPY_EXT",e[e.TEXTURE_MAX_ANISOTROPY_EXT=34046]="TEXTURE_MAX_ANISOTROPY_EXT",e[e.R16_EXT=33322]="R16_EXT",e[e.RG16_EXT=33324]="RG16_EXT",e[e.RGB16_EXT=32852]="RGB16_EXT",e[e.RGBA16_EXT=32859]="RGBA16_EXT",e[e.R16_SNORM_EXT=36760]="R16_SNORM_EXT",e[e.RG16_SNORM_EXT=36761]="RG16_SNORM_EXT",e[e.RGB16_SNORM_EXT=36762]="RGB16_SNORM_EXT",e[e.RGBA16_SNORM_EXT=36763]="RGBA16_SNORM_EXT",e[e.COMPRESSED_RGB_S3TC_DXT1_EXT=33776]="COMPRESSED_RGB_S3TC_DXT1_EXT",e[e.COMPRESSED_RGBA_S3TC_DXT1_EXT=33777]="COMPRESSED_RGBA_S3TC_DXT1_EXT",e[e.COMPRESSED_RGBA_S3TC_DXT3_EXT=33778]="COMPRESSED_RGBA_S3TC_DXT3_EXT",e[e.COMPRESSED_RGBA_S3TC_DXT5_EXT=33779]="COMPRESSED_RGBA_S3TC_DXT5_EXT",e[e.COMPRESSED_SRGB_S3TC_DXT1_EXT=35916]="COMPRESSED_SRGB_S3TC_DXT1_EXT",e[e.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT=35917]="COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT",e[e.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT=35918]="COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT",e[e.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT=35919]="COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT",e[e.COMPRESSED_RED_RGTC1_EXT=36283]="COMPRESSED_RED_RGTC1_EXT",e[e.COMPRESSED_SIGNED_RED_RGTC1_EXT=36284]="COMPRESSED_SIGNED_RED_RGTC1_EXT",e[e.COMPRESSED_RED_GREEN_RGTC2_EXT=36285]="COMPRESSED_RED_GREEN_RGTC2_EXT",e[e.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT=36286]="COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT",e[e.COMPRESSED_RGBA_BPTC_UNORM_EXT=36492]="COMPRESSED_RGBA_BPTC_UNORM_EXT",e[e.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT=36493]="COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT",e[e.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT=36494]="COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT",e[e.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT=36495]="COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT",e[e.COMPRESSED_R11_EAC=37488]="COMPRESSED_R11_EAC",e[e.COMPRESSED_SIGNED_R11_EAC=37489]="COMPRESSED_SIGNED_R11_EAC",e[e.COMPRESSED_RG11_EAC=37490]="COMPRESSED_RG11_EAC",e[e.COMPRESSED_SIGNED_RG11_EAC=37491]="COMPRESSED_SIGNED_RG11_EAC",e[e.COMPRESSED_RGB8_ETC2=37492]="COMPRESSED_RGB8_ETC2",e[e.COMPRESSED_RGBA8_ETC2_EAC=37493]="COMPRESSED_RGBA8_ETC2_EAC",e[e.COMPRESSED_SRGB8_ETC2=37494]="COMPRESSED_SRGB8_ETC2",e[e.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC=37495]="COMPRESSED_SRGB8_ALPHA8_ETC2_EAC",e[e.COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2=37496]="COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2",e[e.COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2=37497]="COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2",e[e.COMPRESSED_RGB_PVRTC_4BPPV1_IMG=35840]="COMPRESSED_RGB_PVRTC_4BPPV1_IMG",e[e.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG=35842]="COMPRESSED_RGBA_PVRTC_4BPPV1_IMG",e[e.COMPRESSED_RGB_PVRTC_2BPPV1_IMG=35841]="COMPRESSED_RGB_PVRTC_2BPPV1_IMG",e[e.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG=35843]="COMPRESSED_RGBA_PVRTC_2BPPV1_IMG",e[e.COMPRESSED_RGB_ETC1_WEBGL=36196]="COMPRESSED_RGB_ETC1_WEBGL",e[e.COMPRESSED_RGB_ATC_WEBGL=35986]="COMPRESSED_RGB_ATC_WEBGL",e[e.COMPRESSED_RGBA_ATC_EXPLICIT_ALPHA_WEBGL=35986]="COMPRESSED_RGBA_ATC_EXPLICIT_ALPHA_WEBGL",e[e.COMPRESSED_RGBA_ATC_INTERPOLATED_ALPHA_WEBGL=34798]="COMPRESSED_RGBA_ATC_INTERPOLATED_ALPHA_WEBGL",e[e.COMPRESSED_RGBA_ASTC_4x4_KHR=37808]="COMPRESSED_RGBA_ASTC_4x4_KHR",e[e.COMPRESSED_RGBA_ASTC_5x4_KHR=37809]="COMPRESSED_RGBA_ASTC_5x4_KHR",e[e.COMPRESSED_RGBA_ASTC_5x5_KHR=37810]="COMPRESSED_RGBA_ASTC_5x5_KHR",e[e.COMPRESSED_RGBA_ASTC_6x5_KHR=37811]="COMPRESSED_RGBA_ASTC_6x5_KHR",e[e.COMPRESSED_RGBA_ASTC_6x6_KHR=37812]="COMPRESSED_RGBA_ASTC_6x6_KHR",e[e.COMPRESSED_RGBA_ASTC_8x5_KHR=37813]="COMPRESSED_RGBA_ASTC_8x5_KHR",e[e.COMPRESSED_RGBA_ASTC_8x6_KHR=37814]="COMPRESSED_RGBA_ASTC_8x6_KHR",e[e.COMPRESSED_RGBA_ASTC_8x8_KHR=37815]="COMPRESSED_RGBA_ASTC_8x8_KHR",e[e.COMPRESSED_RGBA_ASTC_10x5_KHR=37816]="COMPRESSED_RGBA_ASTC_10x5_KHR",e[e.COMPRESSED_RGBA_ASTC_10x6_KHR=37817]="COMPRESSED_RGBA_ASTC_10x6_KHR",e[e.COMPRESSED_RGBA_ASTC_10x8_KHR=37818]="COMPRESSED_RGBA_ASTC_10x8_KHR",e[e.COMPRESSED_RGBA_ASTC_10x10_KHR=37819]="COMPRESSED_RGBA_ASTC_10x10_KHR",e[e.COMPRESSED_RGBA_ASTC_12x10_KHR=37820]="COMPRESSED_RGBA_ASTC_12x10_KHR",e[e.COMPRESSED_RGBA_ASTC_12x12_KHR=37821]="COMPRESSED_RGBA_ASTC_12x12_KHR",e[e.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR=37840]="COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR",e[e.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR=37841]="COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR",e[e.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR=37842]="COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR",e[e.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR=37843]="COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR",e[e.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR=37844]="COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR",e[e.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR=37845]="COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR",e[e.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR=37846]="COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR",e[e.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR=37847]="COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR",e[e.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR=37848]="COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR",e[e.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR=37849]="COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR",e[e.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR=37850]="COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR",e[e.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR=37851]="COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR",e[e.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR=37852]="COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR",e[e.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR=37853]="COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR",e[e.QUERY_COUNTER_BITS_EXT=34916]="QUERY_COUNTER_BITS_EXT",e[e.CURRENT_QUERY_EXT=34917]="CURRENT_QUERY_EXT",e[e.QUERY_RESULT_EXT=34918]="QUERY_RESULT_EXT",e[e.QUERY_RESULT_AVAILABLE_EXT=34919]="QUERY_RESULT_AVAILABLE_EXT",e[e.TIME_ELAPSED_EXT=35007]="TIME_ELAPSED_EXT",e[e.TIMESTAMP_EXT=36392]="TIMESTAMP_EXT",e[e.GPU_DISJOINT_EXT=36795]="GPU_DISJOINT_EXT",e[e.COMPLETION_STATUS_KHR=37297]="COMPLETION_STATUS_KHR",e[e.DEPTH_CLAMP_EXT=34383]="DEPTH_CLAMP_EXT",e[e.FIRST_VERTEX_CONVENTION_WEBGL=36429]="FIRST_VERTEX_CONVENTION_WEBGL",e[e.LAST_VERTEX_CONVENTION_WEBGL=36430]="LAST_VERTEX_CONVENTION_WEBGL",e[e.PROVOKING_VERTEX_WEBL=36431]="PROVOKING_VERTEX_WEBL",e[e.POLYGON_MODE_WEBGL=2880]="POLYGON_MODE_WEBGL",e[e.POLYGON_OFFSET_LINE_WEBGL=10754]="POLYGON_OFFSET_LINE_WEBGL",e[e.LINE_WEBGL=6913]="LINE_WEBGL",e[e.FILL_WEBGL=6914]="FILL_WEBGL",e[e.MAX_CLIP_DISTANCES_WEBGL=3378]="MAX_CLIP_DISTANCES_WEBGL",e[e.MAX_CULL_DISTANCES_WEBGL=33529]="MAX_CULL_DISTANCES_WEBGL",e[e.MAX_COMBINED_CLIP_AND_CULL_DISTANCES_WEBGL=33530]="MAX_COMBINED_CLIP_AND_CULL_DISTANCES_WEBGL",e[e.CLIP_DISTANCE0_WEBGL=12288]="CLIP_DISTANCE0_WEBGL",e[e.CLIP_DISTANCE1_WEBGL=12289]="CLIP_DISTANCE1_WEBGL",e[e.CLIP_DISTANCE2_WEBGL=12290]="CLIP_DISTANCE2_WEBGL",e[e.CLIP_DISTANCE3_WEBGL=12291]="CLIP_DISTANCE3_WEBGL",e[e.CLIP_DISTANCE4_WEBGL=12292]="CLIP_DISTANCE4_WEBGL",e[e.CLIP_DISTANCE5_WEBGL=12293]="CLIP_DISTANCE5_WEBGL",e[e.CLIP_DISTANCE6_WEBGL=12294]="CLIP_DISTANCE6_WEBGL",e[e.CLIP_DISTANCE7_WEBGL=12295]="CLIP_DISTANCE7_WEBGL",e[e.POLYGON_OFFSET_CLAMP_EXT=36379]="POLYGON_OFFSET_CLAMP_EXT",e[e.LOWER_LEFT_EXT=36001]="LOWER_LEFT_EXT",e[e.UPPER_LEFT_EXT=36002]="UPPER_LEFT_EXT",e[e.NEGATIVE_ONE_TO_ONE_EXT=37726]="NEGATIVE_ONE_TO_ONE_EXT",e[e.ZERO_TO_ONE_EXT=37727]="ZERO_TO_ONE_EXT",e[e.CLIP_ORIGIN_EXT=37724]="CLIP_ORIGIN_EXT",e[e.CLIP_DEPTH_MODE_EXT=37725]="CLIP_DEPTH_MODE_EXT",e[e.SRC1_COLOR_WEBGL=35065]="SRC1_COLOR_WEBGL",e[e.SRC1_ALPHA_WEBGL=34185]="SRC1_ALPHA_WEBGL",e[e.ONE_MINUS_SRC1_COLOR_WEBGL=35066]="ONE_MINUS_SRC1_COLOR_WEBGL",e[e.ONE_MINUS_SRC1_ALPHA_WEBGL=35067]="ONE_MINUS_SRC1_ALPHA_WEBGL",e[e.MAX_DUAL_SOURCE_DRAW_BUFFERS_WEBGL=35068]="MAX_DUAL_SOURCE_DRAW_BUFFERS_WEBGL",e[e.MIRROR_CLAMP_TO_EDGE_EXT=34627]="MIRROR_CLAMP_TO_EDGE_EXT"})(ci||(ci={}))});var km=R(()=>{Dm()});function Fm(e=!0){let t=HTMLCanvasElement.prototype;if(!e&&t.originalGetContext){t.getContext=t.originalGetContext,t.originalGetContext=void 0;return}t.originalGetContext=t.getContext,t.getContext=function(i,r){if(i==="webgl"||i==="experimental-webgl"){let n=this.originalGetContext("webgl2",r);return n instanceof HTMLElement&&qP(n),n}return this.originalGetContext(i,r)}}function qP(e){e.getExtension("EXT_color_buffer_float");let t={...YP,WEBGL_disjoint_timer_query:e.getExtension("EXT_disjoint_timer_query_webgl2"),WEBGL_draw_buffers:jP(e),OES_vertex_array_object:GP(e),ANGLE_instanced_arrays:KP(e)},i=e.getExtension;e.getExtension=function(n){let o=i.call(e,n);return o||(n in t?t[n]:null)};let r=e.getSupportedExtensions;e.getSupportedExtensions=function(){return(r.apply(e)||[])?.concat(Object.keys(t))}}var YP,jP,GP,KP,Nm=R(()=>{YP={WEBGL_depth_texture:{UNSIGNED_INT_24_8_WEBGL:34042},OES_element_index_uint:{},OES_texture_float:{},OES_texture_half_float:{HALF_FLOAT_OES:5131},EXT_color_buffer_float:{},OES_standard_derivatives:{FRAGMENT_SHADER_DERIVATIVE_HINT_OES:35723},EXT_frag_depth:{},EXT_blend_minmax:{MIN_EXT:32775,MAX_EXT:32776},EXT_shader_texture_lod:{}},jP=e=>({drawBuffersWEBGL(t){return e.drawBuffers(t)},COLOR_ATTACHMENT0_WEBGL:36064,COLOR_ATTACHMENT1_WEBGL:36065,COLOR_ATTACHMENT2_WEBGL:36066,COLOR_ATTACHMENT3_WEBGL:36067}),GP=e=>({VERTEX_ARRAY_BINDING_OES:34229,createVertexArrayOES(){return e.createVertexArray()},deleteVertexArrayOES(t){return e.deleteVertexArray(t)},isVertexArrayOES(t){return e.isVertexArray(t)},bindVertexArrayOES(t){return e.bindVertexArray(t)}}),KP=e=>({VERTEX_ATTRIB_ARRAY_DIVISOR_ANGLE:35070,drawArraysInstancedANGLE(...t){return e.drawArraysInstanced(...t)},drawElementsInstancedANGLE(...t){return e.drawElementsInstanced(...t)},vertexAttribDivisorANGLE(...t){return e.vertexAttribDivisor(...t)}})});async function ds(e,t){let i=document.getElementsByTagName("head")[0];if(!i)throw new Error("loadScript");let r=document.createElement("script");return r.setAttribute("type","text/javascript"),r.setAttribute("src",e),t&&(r.id=t),new Promise((n,o)=>{r.onload=n,r.onerror=s=>o(new Error(`Unable to load script '${e}': ${s}`)),i.appendChild(r)})}var Wc=R(()=>{});function ki(e){let t=e.luma||{_polyfilled:!1,extensions:{},softwareRenderer:!1};return t._polyfilled??=!1,t.extensions||={},e.luma=t,t}var hs=R(()=>{});async function Om(e){if(!globalThis.SPECTOR)try{await ds(e.debugSpectorJSUrl||ps.debugSpectorJSUrl)}catch(t){C.warn(String(t))}}function Um(e){if(e={...ps,...e},!e.debugSpectorJS)return null;if(!Ge&&globalThis.SPECTOR&&!globalThis.luma?.spector){C.probe(ZP,"SPECTOR found and initialized. Start with `luma.spector.displayUI()`")();let{Spector:t}=globalThis.SPECTOR;Ge=new t,globalThis.luma&&(globalThis.luma.spector=Ge)}if(!Ge)return null;if(Bm||(Bm=!0,Ge.spyCanvases(),Ge?.onCaptureStarted.add(t=>C.info("Spector capture started:",t)()),Ge?.onCapture.add(t=>{C.info("Spector capture complete:",t)(),Ge?.getResultUI(),Ge?.resultView.display(),Ge?.resultView.addCapture(t)})),e.gl){let t=e.gl,i=ki(t),r=i.device;Ge?.startCapture(e.gl,500),i.device=r,new Promise(n=>setTimeout(n,2e3)).then(n=>{C.info("Spector capture stopped after 2 seconds")(),Ge?.stopCapture()})}return Ge}var ZP,Ge,Bm,ps,Hc=R(()=>{re();Wc();hs();ZP=1,Ge=null,Bm=!1,ps={debugSpectorJS:C.get("debug-spectorjs"),debugSpectorJSUrl:"https://cdn.jsdelivr.net/npm/spectorjs@0.9.30/dist/spector.bundle.js",gl:void 0}});function zm(e){return e.luma=e.luma||{},e.luma}async function Wm(){Ue()&&!globalThis.WebGLDebugUtils&&(globalThis.global=globalThis.global||globalThis,globalThis.global.module={},await ds(QP))}function Hm(e,t={}){return t.debugWebGL||t.traceWebGL?eC(e,t):JP(e)}function JP(e){let t=zm(e);return t.realContext?t.realContext:e}function eC(e,t){if(!globalThis.WebGLDebugUtils)return C.warn("webgl-debug not loaded")(),e;let i=zm(e);if(i.debugContext)return i.debugContext;globalThis.WebGLDebugUtils.init({...ci,...e});let r=globalThis.WebGLDebugUtils.makeDebugContext(e,tC.bind(null,t),iC.bind(null,t));for(let s in ci)!(s in r)&&typeof ci[s]=="number"&&(r[s]=ci[s]);class n{}Object.setPrototypeOf(r,Object.getPrototypeOf(e)),Object.setPrototypeOf(n,r);let o=Object.create(n);return i.realContext=e,i.debugContext=o,o.luma=i,o.debug=!0,o}function Lm(e,t){t=Array.from(t).map(r=>r===void 0?"undefined":r);let i=globalThis.WebGLDebugUtils.glFunctionArgsToString(e,t);return i=`${i.slice(0,100)}${i.length>100?"...":""}`,`gl.${e}(${i})`}function tC(e,t,i,r){r=Array.from(r).map(a=>a===void 0?"undefined":a);let n=globalThis.WebGLDebugUtils.glEnumToString(t),o=globalThis.WebGLDebugUtils.glFunctionArgsToString(i,r),s=`${n} in gl.${i}(${o})`;C.error("%cWebGL","color: white; background: red; padding: 2px 6px; border-radius: 3px;",s)();debugger;throw new Error(s)}function iC(e,t,i){let r="";e.traceWebGL&&C.level>=1&&(r=Lm(t,i),C.info(1,"%cWebGL","color: white; background: blue; padding: 2px 6px; border-radius: 3px;",r)());for(let n of i)if(n===void 0){r=r||Lm(t,i);debugger}}var QP,Vc=R(()=>{re();km();ri();Wc();QP="https://unpkg.com/webgl-debug@2.0.1/index.js"});function $c(e){return Array.isArray(e)||ArrayBuffer.isView(e)&&!(e instanceof DataView)}function xe(e,t,i){return t[e]!==void 0?t[e]:i[e]}var _n,ve,Vm,Ke,$m,xn,Xm,Ym,Xc,It,Yc,jm,jc=R(()=>{_n={3042:!1,32773:new Float32Array([0,0,0,0]),32777:32774,34877:32774,32969:1,32968:0,32971:1,32970:0,3106:new Float32Array([0,0,0,0]),3107:[!0,!0,!0,!0],2884:!1,2885:1029,2929:!1,2931:1,2932:513,2928:new Float32Array([0,1]),2930:!0,3024:!0,35725:null,36006:null,36007:null,34229:null,34964:null,2886:2305,33170:4352,2849:1,32823:!1,32824:0,10752:0,32926:!1,32928:!1,32938:1,32939:!1,3089:!1,3088:new Int32Array([0,0,1024,1024]),2960:!1,2961:0,2968:4294967295,36005:4294967295,2962:519,2967:0,2963:4294967295,34816:519,36003:0,36004:4294967295,2964:7680,2965:7680,2966:7680,34817:7680,34818:7680,34819:7680,2978:[0,0,1024,1024],36389:null,36662:null,36663:null,35053:null,35055:null,35723:4352,36010:null,35977:!1,3333:4,3317:4,37440:!1,37441:!1,37443:37444,3330:0,3332:0,3331:0,3314:0,32878:0,3316:0,3315:0,32877:0},ve=(e,t,i)=>t?e.enable(i):e.disable(i),Vm=(e,t,i)=>e.hint(i,t),Ke=(e,t,i)=>e.pixelStorei(i,t),$m=(e,t,i)=>{let r=i===36006?36009:36008;return e.bindFramebuffer(r,t)},xn=(e,t,i)=>{let n={34964:34962,36662:36662,36663:36663,35053:35051,35055:35052}[i];e.bindBuffer(n,t)};Xm={3042:ve,32773:(e,t)=>e.blendColor(...t),32777:"blendEquation",34877:"blendEquation",32969:"blendFunc",32968:"blendFunc",32971:"blendFunc",32970:"blendFunc",3106:(e,t)=>e.clearColor(...t),3107:(e,t)=>e.colorMask(...t),2884:ve,2885:(e,t)=>e.cullFace(t),2929:ve,2931:(e,t)=>e.clearDepth(t),2932:(e,t)=>e.depthFunc(t),2928:(e,t)=>e.depthRange(...t),2930:(e,t)=>e.depthMask(t),3024:ve,35723:Vm,35725:(e,t)=>e.useProgram(t),36007:(e,t)=>e.bindRenderbuffer(36161,t),36389:(e,t)=>e.bindTransformFeedback?.(36386,t),34229:(e,t)=>e.bindVertexArray(t),36006:$m,36010:$m,34964:xn,36662:xn,36663:xn,35053:xn,35055:xn,2886:(e,t)=>e.frontFace(t),33170:Vm,2849:(e,t)=>e.lineWidth(t),32823:ve,32824:"polygonOffset",10752:"polygonOffset",35977:ve,32926:ve,32928:ve,32938:"sampleCoverage",32939:"sampleCoverage",3089:ve,3088:(e,t)=>e.scissor(...t),2960:ve,2961:(e,t)=>e.clearStencil(t),2968:(e,t)=>e.stencilMaskSeparate(1028,t),36005:(e,t)=>e.stencilMaskSeparate(1029,t),2962:"stencilFuncFront",2967:"stencilFuncFront",2963:"stencilFuncFront",34816:"stencilFuncBack",36003:"stencilFuncBack",36004:"stencilFuncBack",2964:"stencilOpFront",2965:"stencilOpFront",2966:"stencilOpFront",34817:"stencilOpBack",34818:"stencilOpBack",34819:"stencilOpBack",2978:(e,t)=>e.viewport(...t),34383:ve,10754:ve,12288:ve,12289:ve,12290:ve,12291:ve,12292:ve,12293:ve,12294:ve,12295:ve,3333:Ke,3317:Ke,37440:Ke,37441:Ke,37443:Ke,3330:Ke,3332:Ke,3331:Ke,3314:Ke,32878:Ke,3316:Ke,3315:Ke,32877:Ke,framebuffer:(e,t)=>{let i=t&&"handle"in t?t.handle:t;return e.bindFramebuffer(36160,i)},blend:(e,t)=>t?e.enable(3042):e.disable(3042),blendColor:(e,t)=>e.blendColor(...t),blendEquation:(e,t)=>{let i=typeof t=="number"?[t,t]:t;e.blendEquationSeparate(...i)},blendFunc:(e,t)=>{let i=t?.length===2?[...t,...t]:t;e.blendFuncSeparate(...i)},clearColor:(e,t)=>e.clearColor(...t),clearDepth:(e,t)=>e.clearDepth(t),clearStencil:(e,t)=>e.clearStencil(t),colorMask:(e,t)=>e.colorMask(...t),cull:(e,t)=>t?e.enable(2884):e.disable(2884),cullFace:(e,t)=>e.cullFace(t),depthTest:(e,t)=>t?e.enable(2929):e.disable(2929),depthFunc:(e,t)=>e.depthFunc(t),depthMask:(e,t)=>e.depthMask(t),depthRange:(e,t)=>e.depthRange(...t),dither:(e,t)=>t?e.enable(3024):e.disable(3024),derivativeHint:(e,t)=>{e.hint(35723,t)},frontFace:(e,t)=>e.frontFace(t),mipmapHint:(e,t)=>e.hint(33170,t),lineWidth:(e,t)=>e.lineWidth(t),polygonOffsetFill:(e,t)=>t?e.enable(32823):e.disable(32823),polygonOffset:(e,t)=>e.polygonOffset(...t),sampleCoverage:(e,t)=>e.sampleCoverage(t[0],t[1]||!1),scissorTest:(e,t)=>t?e.enable(3089):e.disable(3089),scissor:(e,t)=>e.scissor(...t),stencilTest:(e,t)=>t?e.enable(2960):e.disable(2960),stencilMask:(e,t)=>{t=$c(t)?t:[t,t];let[i,r]=t;e.stencilMaskSeparate(1028,i),e.stencilMaskSeparate(1029,r)},stencilFunc:(e,t)=>{t=$c(t)&&t.length===3?[...t,...t]:t;let[i,r,n,o,s,a]=t;e.stencilFuncSeparate(1028,i,r,n),e.stencilFuncSeparate(1029,o,s,a)},stencilOp:(e,t)=>{t=$c(t)&&t.length===3?[...t,...t]:t;let[i,r,n,o,s,a]=t;e.stencilOpSeparate(1028,i,r,n),e.stencilOpSeparate(1029,o,s,a)},viewport:(e,t)=>e.viewport(...t)};Ym={blendEquation:(e,t,i)=>e.blendEquationSeparate(xe(32777,t,i),xe(34877,t,i)),blendFunc:(e,t,i)=>e.blendFuncSeparate(xe(32969,t,i),xe(32968,t,i),xe(32971,t,i),xe(32970,t,i)),polygonOffset:(e,t,i)=>e.polygonOffset(xe(32824,t,i),xe(10752,t,i)),sampleCoverage:(e,t,i)=>e.sampleCoverage(xe(32938,t,i),xe(32939,t,i)),stencilFuncFront:(e,t,i)=>e.stencilFuncSeparate(1028,xe(2962,t,i),xe(2967,t,i),xe(2963,t,i)),stencilFuncBack:(e,t,i)=>e.stencilFuncSeparate(1029,xe(34816,t,i),xe(36003,t,i),xe(36004,t,i)),stencilOpFront:(e,t,i)=>e.stencilOpSeparate(1028,xe(2964,t,i),xe(2965,t,i),xe(2966,t,i)),stencilOpBack:(e,t,i)=>e.stencilOpSeparate(1029,xe(34817,t,i),xe(34818,t,i),xe(34819,t,i))},Xc={enable:(e,t)=>e({[t]:!0}),disable:(e,t)=>e({[t]:!1}),pixelStorei:(e,t,i)=>e({[t]:i}),hint:(e,t,i)=>e({[t]:i}),useProgram:(e,t)=>e({35725:t}),bindRenderbuffer:(e,t,i)=>e({36007:i}),bindTransformFeedback:(e,t,i)=>e({36389:i}),bindVertexArray:(e,t)=>e({34229:t}),bindFramebuffer:(e,t,i)=>{switch(t){case 36160:return e({36006:i,36010:i});case 36009:return e({36006:i});case 36008:return e({36010:i});default:return null}},bindBuffer:(e,t,i)=>{let r={34962:[34964],36662:[36662],36663:[36663],35051:[35053],35052:[35055]}[t];return r?e({[r]:i}):{valueChanged:!0}},blendColor:(e,t,i,r,n)=>e({32773:new Float32Array([t,i,r,n])}),blendEquation:(e,t)=>e({32777:t,34877:t}),blendEquationSeparate:(e,t,i)=>e({32777:t,34877:i}),blendFunc:(e,t,i)=>e({32969:t,32968:i,32971:t,32970:i}),blendFuncSeparate:(e,t,i,r,n)=>e({32969:t,32968:i,32971:r,32970:n}),clearColor:(e,t,i,r,n)=>e({3106:new Float32Array([t,i,r,n])}),clearDepth:(e,t)=>e({2931:t}),clearStencil:(e,t)=>e({2961:t}),colorMask:(e,t,i,r,n)=>e({3107:[t,i,r,n]}),cullFace:(e,t)=>e({2885:t}),depthFunc:(e,t)=>e({2932:t}),depthRange:(e,t,i)=>e({2928:new Float32Array([t,i])}),depthMask:(e,t)=>e({2930:t}),frontFace:(e,t)=>e({2886:t}),lineWidth:(e,t)=>e({2849:t}),polygonOffset:(e,t,i)=>e({32824:t,10752:i}),sampleCoverage:(e,t,i)=>e({32938:t,32939:i}),scissor:(e,t,i,r,n)=>e({3088:new Int32Array([t,i,r,n])}),stencilMask:(e,t)=>e({2968:t,36005:t}),stencilMaskSeparate:(e,t,i)=>e({[t===1028?2968:36005]:i}),stencilFunc:(e,t,i,r)=>e({2962:t,2967:i,2963:r,34816:t,36003:i,36004:r}),stencilFuncSeparate:(e,t,i,r,n)=>e({[t===1028?2962:34816]:i,[t===1028?2967:36003]:r,[t===1028?2963:36004]:n}),stencilOp:(e,t,i,r)=>e({2964:t,2965:i,2966:r,34817:t,34818:i,34819:r}),stencilOpSeparate:(e,t,i,r,n)=>e({[t===1028?2964:34817]:i,[t===1028?2965:34818]:r,[t===1028?2966:34819]:n}),viewport:(e,t,i,r,n)=>e({2978:[t,i,r,n]})},It=(e,t)=>e.isEnabled(t),Yc={3042:It,2884:It,2929:It,3024:It,32823:It,32926:It,32928:It,3089:It,2960:It,35977:It},jm=new Set([34016,36388,36387,35983,35368,34965,35739,35738,3074,34853,34854,34855,34856,34857,34858,34859,34860,34861,34862,34863,34864,34865,34866,34867,34868,35097,32873,35869,32874,34068])});function ft(e,t){if(rC(t))return;let i={};for(let n in t){let o=Number(n),s=Xm[n];s&&(typeof s=="string"?i[s]=!0:s(e,t[n],o))}let r=e.lumaState?.cache;if(r)for(let n in i){let o=Ym[n];o(e,t,r)}}function ms(e,t=_n){if(typeof t=="number"){let n=t,o=Yc[n];return o?o(e,n):e.getParameter(n)}let i=Array.isArray(t)?t:Object.keys(t),r={};for(let n of i){let o=Yc[n];r[n]=o?o(e,Number(n)):e.getParameter(Number(n))}return r}function Gm(e){ft(e,_n)}function rC(e){for(let t in e)return!1;return!0}var dr=R(()=>{jc()});function qm(e,t){if(e===t)return!0;if(Km(e)&&Km(t)&&e.length===t.length){for(let i=0;i<e.length;++i)if(e[i]!==t[i])return!1;return!0}return!1}function Km(e){return Array.isArray(e)||ArrayBuffer.isView(e)}var Zm=R(()=>{});function Qm(e,t){let i=e[t].bind(e);e[t]=function(n){if(n===void 0||jm.has(n))return i(n);let o=dt.get(e);return n in o.cache||(o.cache[n]=i(n)),o.enable?o.cache[n]:i(n)},Object.defineProperty(e[t],"name",{value:`${t}-from-cache`,configurable:!1})}function nC(e,t,i){if(!e[t])return;let r=e[t].bind(e);e[t]=function(...o){let s=dt.get(e),{valueChanged:a,oldValue:l}=i(s._updateCache,...o);return a&&r(...o),l},Object.defineProperty(e[t],"name",{value:`${t}-to-cache`,configurable:!1})}function oC(e){let t=e.useProgram.bind(e);e.useProgram=function(r){let n=dt.get(e);n.program!==r&&(t(r),n.program=r)}}var dt,Gc=R(()=>{dr();Zm();jc();dt=class{static get(t){return t.lumaState}gl;program=null;stateStack=[];enable=!0;cache=null;log;initialized=!1;constructor(t,i){this.gl=t,this.log=i?.log||(()=>{}),this._updateCache=this._updateCache.bind(this),Object.seal(this)}push(t={}){this.stateStack.push({})}pop(){let t=this.stateStack[this.stateStack.length-1];ft(this.gl,t),this.stateStack.pop()}trackState(t,i){if(this.cache=i?.copyState?ms(t):Object.assign({},_n),this.initialized)throw new Error("WebGLStateTracker");this.initialized=!0,this.gl.lumaState=this,oC(t);for(let r in Xc){let n=Xc[r];nC(t,r,n)}Qm(t,"getParameter"),Qm(t,"isEnabled")}_updateCache(t){let i=!1,r,n=this.stateStack.length>0?this.stateStack[this.stateStack.length-1]:null;for(let o in t){let s=t[o],a=this.cache[o];qm(s,a)||(i=!0,r=a,n&&!(o in n)&&(n[o]=a),this.cache[o]=s)}return{valueChanged:i,oldValue:r}}}});function Jm(e,t,i){let r="",n=l=>{let c=l.statusMessage;c&&(r||=c)};e.addEventListener("webglcontextcreationerror",n,!1);let o=i.failIfMajorPerformanceCaveat!==!0,s={preserveDrawingBuffer:!0,...i,failIfMajorPerformanceCaveat:!0},a=null;try{a||=e.getContext("webgl2",s),!a&&s.failIfMajorPerformanceCaveat&&(r||="Only software GPU is available. Set `failIfMajorPerformanceCaveat: false` to allow.");let l=!1;if(!a&&o&&(s.failIfMajorPerformanceCaveat=!1,a=e.getContext("webgl2",s),l=!0),a||(a=e.getContext("webgl",{}),a&&(a=null,r||="Your browser only supports WebGL1")),!a)throw r||="Your browser does not support WebGL",new Error(`Failed to create WebGL context: ${r}`);let c=ki(a);c.softwareRenderer=l;let{onContextLost:u,onContextRestored:f}=t;return e.addEventListener("webglcontextlost",d=>u(d),!1),e.addEventListener("webglcontextrestored",d=>f(d),!1),a}finally{e.removeEventListener("webglcontextcreationerror",n,!1)}}var eg=R(()=>{hs()});function ht(e,t,i){return i[t]===void 0&&(i[t]=e.getExtension(t)||null),i[t]}var yn=R(()=>{});function tg(e,t){let i=e.getParameter(7936),r=e.getParameter(7937);ht(e,"WEBGL_debug_renderer_info",t);let n=t.WEBGL_debug_renderer_info,o=e.getParameter(n?n.UNMASKED_VENDOR_WEBGL:7936),s=e.getParameter(n?n.UNMASKED_RENDERER_WEBGL:7937),a=o||i,l=s||r,c=e.getParameter(7938),u=ig(a,l),f=sC(a,l),d=aC(a,l);return{type:"webgl",gpu:u,gpuType:d,gpuBackend:f,vendor:a,renderer:l,version:c,shadingLanguage:"glsl",shadingLanguageVersion:300}}function ig(e,t){return/NVIDIA/i.exec(e)||/NVIDIA/i.exec(t)?"nvidia":/INTEL/i.exec(e)||/INTEL/i.exec(t)?"intel":/Apple/i.exec(e)||/Apple/i.exec(t)?"apple":/AMD/i.exec(e)||/AMD/i.exec(t)||/ATI/i.exec(e)||/ATI/i.exec(t)?"amd":/SwiftShader/i.exec(e)||/SwiftShader/i.exec(t)?"software":"unknown"}function sC(e,t){return/Metal/i.exec(e)||/Metal/i.exec(t)?"metal":/ANGLE/i.exec(e)||/ANGLE/i.exec(t)?"opengl":"unknown"}function aC(e,t){if(/SwiftShader/i.exec(e)||/SwiftShader/i.exec(t))return"cpu";switch(ig(e,t)){case"apple":return lC(e,t)?"integrated":"unknown";case"intel":return"integrated";case"software":return"cpu";case"unknown":return"unknown";default:return"discrete"}}function lC(e,t){return/Apple (M\d|A\d|GPU)/i.test(`${e} ${t}`)}var rg=R(()=>{yn()});function gs(e){switch(e){case"uint8":return 5121;case"sint8":return 5120;case"unorm8":return 5121;case"snorm8":return 5120;case"uint16":return 5123;case"sint16":return 5122;case"unorm16":return 5123;case"snorm16":return 5122;case"uint32":return 5125;case"sint32":return 5124;case"float16":return 5131;case"float32":return 5126}throw new Error(String(e))}var Kc=R(()=>{});function sg(e){return e in _s}function eu(e,t,i){return ag(e,t,i,new Set)}function ag(e,t,i,r){let n=_s[t];if(!n||r.has(t))return!1;r.add(t);let o=(n.features||[]).every(s=>ag(e,s,i,r));return r.delete(t),o?(n.extensions||[]).every(s=>!!ht(e,s,i)):!1}function lg(e,t,i){let r=t.create,n=ys[t.format];n?.gl===void 0&&(r=!1),n?.x&&(r=r&&!!ht(e,n.x,i)),t.format==="stencil8"&&(r=!1);let o=n?.r===!1?!1:n?.r===void 0||eu(e,n.r,i),s=r&&t.render&&o&&gC(e,t.format,i);return{format:t.format,create:r&&t.create,render:s,filter:r&&t.filter,blend:r&&t.blend,store:r&&t.store}}function gC(e,t,i){let r=ys[t],n=r?.gl;if(n===void 0||r?.x&&!ht(e,r.x,i))return!1;let o=e.getParameter(32873),s=e.getParameter(36006),a=e.createTexture(),l=e.createFramebuffer();if(!a||!l)return!1;let c=0,u=Number(e.getError());for(;u!==c;)u=e.getError();let f=!1;try{if(e.bindTexture(3553,a),e.texStorage2D(3553,1,n,1,1),Number(e.getError())!==c)return!1;e.bindFramebuffer(36160,l),e.framebufferTexture2D(36160,36064,3553,a,0),f=Number(e.checkFramebufferStatus(36160))===36053&&Number(e.getError())===c}finally{e.bindFramebuffer(36160,s),e.deleteFramebuffer(l),e.bindTexture(3553,o),e.deleteTexture(a)}return f}function bs(e){let t=ys[e],i=_C(e),r=De.getInfo(e);return r.compressed&&(t.dataFormat=i),{internalFormat:i,format:t?.dataFormat||xC(r.channels,r.integer,r.normalized,i),type:r.dataType?gs(r.dataType):t?.types?.[0]||5121,compressed:r.compressed||!1}}function cg(e){switch(De.getInfo(e).attachment){case"depth":return 36096;case"stencil":return 36128;case"depth-stencil":return 33306;default:throw new Error(`Not a depth stencil format: ${e}`)}}function xC(e,t,i,r){if(r===6408||r===6407)return r;switch(e){case"r":return t&&!i?36244:6403;case"rg":return t&&!i?33320:33319;case"rgb":return t&&!i?36248:6407;case"rgba":return t&&!i?36249:6408;case"bgra":throw new Error("bgra pixels not supported by WebGL");default:return 6408}}function _C(e){let i=ys[e]?.gl;if(i===void 0)throw new Error(`Unsupported texture format ${e}`);return i}var bn,Sn,hr,pr,cC,uC,fC,dC,hC,pC,ng,og,qc,Zc,Qc,Jc,xs,mC,_s,ys,mr=R(()=>{re();yn();Kc();bn="WEBGL_compressed_texture_s3tc",Sn="WEBGL_compressed_texture_s3tc_srgb",hr="EXT_texture_compression_rgtc",pr="EXT_texture_compression_bptc",cC="WEBGL_compressed_texture_etc",uC="WEBGL_compressed_texture_astc",fC="WEBGL_compressed_texture_etc1",dC="WEBGL_compressed_texture_pvrtc",hC="WEBGL_compressed_texture_atc",pC="EXT_texture_norm16",ng="EXT_render_snorm",og="EXT_color_buffer_float",qc="snorm8-renderable-webgl",Zc="norm16-renderable-webgl",Qc="snorm16-renderable-webgl",Jc="float16-renderable-webgl",xs="float32-renderable-webgl",mC="rgb9e5ufloat-renderable-webgl",_s={"float32-renderable-webgl":{extensions:[og]},"float16-renderable-webgl":{extensions:["EXT_color_buffer_half_float"]},"rgb9e5ufloat-renderable-webgl":{extensions:["WEBGL_render_shared_exponent"]},"snorm8-renderable-webgl":{extensions:[ng]},"norm16-webgl":{extensions:[pC]},"norm16-renderable-webgl":{features:["norm16-webgl"]},"snorm16-renderable-webgl":{features:["norm16-webgl"],extensions:[ng]},"float32-filterable":{extensions:["OES_texture_float_linear"]},"float16-filterable-webgl":{extensions:["OES_texture_half_float_linear"]},"texture-filterable-anisotropic-webgl":{extensions:["EXT_texture_filter_anisotropic"]},"texture-blend-float-webgl":{extensions:["EXT_float_blend"]},"texture-compression-bc":{extensions:[bn,Sn,hr,pr]},"texture-compression-bc5-webgl":{extensions:[hr]},"texture-compression-bc7-webgl":{extensions:[pr]},"texture-compression-etc2":{extensions:[cC]},"texture-compression-astc":{extensions:[uC]},"texture-compression-etc1-webgl":{extensions:[fC]},"texture-compression-pvrtc-webgl":{extensions:[dC]},"texture-compression-atc-webgl":{extensions:[hC]}};ys={r8unorm:{gl:33321,rb:!0},r8snorm:{gl:36756,r:qc},r8uint:{gl:33330,rb:!0},r8sint:{gl:33329,rb:!0},rg8unorm:{gl:33323,rb:!0},rg8snorm:{gl:36757,r:qc},rg8uint:{gl:33336,rb:!0},rg8sint:{gl:33335,rb:!0},r16uint:{gl:33332,rb:!0},r16sint:{gl:33331,rb:!0},r16float:{gl:33325,rb:!0,r:Jc},r16unorm:{gl:33322,rb:!0,r:Zc},r16snorm:{gl:36760,r:Qc},"rgba4unorm-webgl":{gl:32854,rb:!0},"rgb565unorm-webgl":{gl:36194,rb:!0},"rgb5a1unorm-webgl":{gl:32855,rb:!0},"rgb8unorm-webgl":{gl:32849},"rgb8snorm-webgl":{gl:36758},rgba8unorm:{gl:32856},"rgba8unorm-srgb":{gl:35907},rgba8snorm:{gl:36759,r:qc},rgba8uint:{gl:36220},rgba8sint:{gl:36238},bgra8unorm:{},"bgra8unorm-srgb":{},rg16uint:{gl:33338},rg16sint:{gl:33337},rg16float:{gl:33327,rb:!0,r:Jc},rg16unorm:{gl:33324,r:Zc},rg16snorm:{gl:36761,r:Qc},r32uint:{gl:33334,rb:!0},r32sint:{gl:33333,rb:!0},r32float:{gl:33326,r:xs},rgb9e5ufloat:{gl:35901,r:mC},rg11b10ufloat:{gl:35898,rb:!0},rgb10a2unorm:{gl:32857,rb:!0},rgb10a2uint:{gl:36975,rb:!0},"rgb16unorm-webgl":{gl:32852,r:!1},"rgb16snorm-webgl":{gl:36762,r:!1},rg32uint:{gl:33340,rb:!0},rg32sint:{gl:33339,rb:!0},rg32float:{gl:33328,rb:!0,r:xs},rgba16uint:{gl:36214,rb:!0},rgba16sint:{gl:36232,rb:!0},rgba16float:{gl:34842,r:Jc},rgba16unorm:{gl:32859,rb:!0,r:Zc},rgba16snorm:{gl:36763,r:Qc},"rgb32float-webgl":{gl:34837,x:og,r:xs,dataFormat:6407,types:[5126]},rgba32uint:{gl:36208,rb:!0},rgba32sint:{gl:36226,rb:!0},rgba32float:{gl:34836,rb:!0,r:xs},stencil8:{gl:36168,rb:!0},depth16unorm:{gl:33189,dataFormat:6402,types:[5123],rb:!0},depth24plus:{gl:33190,dataFormat:6402,types:[5125]},depth32float:{gl:36012,dataFormat:6402,types:[5126],rb:!0},"depth24plus-stencil8":{gl:35056,rb:!0,depthTexture:!0,dataFormat:34041,types:[34042]},"depth32float-stencil8":{gl:36013,dataFormat:34041,types:[36269],rb:!0},"bc1-rgb-unorm-webgl":{gl:33776,x:bn},"bc1-rgb-unorm-srgb-webgl":{gl:35916,x:Sn},"bc1-rgba-unorm":{gl:33777,x:bn},"bc1-rgba-unorm-srgb":{gl:35916,x:Sn},"bc2-rgba-unorm":{gl:33778,x:bn},"bc2-rgba-unorm-srgb":{gl:35918,x:Sn},"bc3-rgba-unorm":{gl:33779,x:bn},"bc3-rgba-unorm-srgb":{gl:35919,x:Sn},"bc4-r-unorm":{gl:36283,x:hr},"bc4-r-snorm":{gl:36284,x:hr},"bc5-rg-unorm":{gl:36285,x:hr},"bc5-rg-snorm":{gl:36286,x:hr},"bc6h-rgb-ufloat":{gl:36495,x:pr},"bc6h-rgb-float":{gl:36494,x:pr},"bc7-rgba-unorm":{gl:36492,x:pr},"bc7-rgba-unorm-srgb":{gl:36493,x:pr},"etc2-rgb8unorm":{gl:37492},"etc2-rgb8unorm-srgb":{gl:37494},"etc2-rgb8a1unorm":{gl:37496},"etc2-rgb8a1unorm-srgb":{gl:37497},"etc2-rgba8unorm":{gl:37493},"etc2-rgba8unorm-srgb":{gl:37495},"eac-r11unorm":{gl:37488},"eac-r11snorm":{gl:37489},"eac-rg11unorm":{gl:37490},"eac-rg11snorm":{gl:37491},"astc-4x4-unorm":{gl:37808},"astc-4x4-unorm-srgb":{gl:37840},"astc-5x4-unorm":{gl:37809},"astc-5x4-unorm-srgb":{gl:37841},"astc-5x5-unorm":{gl:37810},"astc-5x5-unorm-srgb":{gl:37842},"astc-6x5-unorm":{gl:37811},"astc-6x5-unorm-srgb":{gl:37843},"astc-6x6-unorm":{gl:37812},"astc-6x6-unorm-srgb":{gl:37844},"astc-8x5-unorm":{gl:37813},"astc-8x5-unorm-srgb":{gl:37845},"astc-8x6-unorm":{gl:37814},"astc-8x6-unorm-srgb":{gl:37846},"astc-8x8-unorm":{gl:37815},"astc-8x8-unorm-srgb":{gl:37847},"astc-10x5-unorm":{gl:37816},"astc-10x5-unorm-srgb":{gl:37848},"astc-10x6-unorm":{gl:37817},"astc-10x6-unorm-srgb":{gl:37849},"astc-10x8-unorm":{gl:37818},"astc-10x8-unorm-srgb":{gl:37850},"astc-10x10-unorm":{gl:37819},"astc-10x10-unorm-srgb":{gl:37851},"astc-12x10-unorm":{gl:37820},"astc-12x10-unorm-srgb":{gl:37852},"astc-12x12-unorm":{gl:37821},"astc-12x12-unorm-srgb":{gl:37853},"pvrtc-rgb4unorm-webgl":{gl:35840},"pvrtc-rgba4unorm-webgl":{gl:35842},"pvrtc-rgb2unorm-webgl":{gl:35841},"pvrtc-rgba2unorm-webgl":{gl:35843},"etc1-rbg-unorm-webgl":{gl:36196},"atc-rgb-unorm-webgl":{gl:35986},"atc-rgba-unorm-webgl":{gl:35986},"atc-rgbai-unorm-webgl":{gl:34798}}});var ug,Ss,fg=R(()=>{re();yn();mr();ug={"depth-clip-control":"EXT_depth_clamp","timestamp-query":"EXT_disjoint_timer_query_webgl2","compilation-status-async-webgl":"KHR_parallel_shader_compile","polygon-mode-webgl":"WEBGL_polygon_mode","provoking-vertex-webgl":"WEBGL_provoking_vertex","shader-clip-cull-distance-webgl":"WEBGL_clip_cull_distance","shader-noperspective-interpolation-webgl":"NV_shader_noperspective_interpolation","shader-conservative-depth-webgl":"EXT_conservative_depth"},Ss=class extends Jr{gl;extensions;testedFeatures=new Set;constructor(t,i,r){super([],r),this.gl=t,this.extensions=i,ht(t,"EXT_color_buffer_float",i)}*[Symbol.iterator](){let t=this.getFeatures();for(let i of t)this.has(i)&&(yield i);return[]}has(t){return this.disabledFeatures?.[t]?!1:(this.testedFeatures.has(t)||(this.testedFeatures.add(t),sg(t)&&eu(this.gl,t,this.extensions)&&this.features.add(t),this.getWebGLFeature(t)&&this.features.add(t)),this.features.has(t))}initializeFeatures(){let t=this.getFeatures().filter(i=>i!=="polygon-mode-webgl");for(let i of t)this.has(i)}getFeatures(){return[...Object.keys(ug),...Object.keys(_s)]}getWebGLFeature(t){let i=ug[t];return typeof i=="string"?!!ht(this.gl,i,this.extensions):!!i}}});var vs,dg=R(()=>{re();vs=class extends Qr{get maxTextureDimension1D(){return 0}get maxTextureDimension2D(){return this.getParameter(3379)}get maxTextureDimension3D(){return this.getParameter(32883)}get maxTextureArrayLayers(){return this.getParameter(35071)}get maxBindGroups(){return 0}get maxDynamicUniformBuffersPerPipelineLayout(){return 0}get maxDynamicStorageBuffersPerPipelineLayout(){return 0}get maxSampledTexturesPerShaderStage(){return this.getParameter(35660)}get maxSamplersPerShaderStage(){return this.getParameter(35661)}get maxStorageBuffersPerShaderStage(){return 0}get maxStorageTexturesPerShaderStage(){return 0}get maxUniformBuffersPerShaderStage(){return this.getParameter(35375)}get maxUniformBufferBindingSize(){return this.getParameter(35376)}get maxStorageBufferBindingSize(){return 0}get minUniformBufferOffsetAlignment(){return this.getParameter(35380)}get minStorageBufferOffsetAlignment(){return 0}get maxVertexBuffers(){return 16}get maxVertexAttributes(){return this.getParameter(34921)}get maxVertexBufferArrayStride(){return 2048}get maxInterStageShaderVariables(){return this.getParameter(35659)}get maxComputeWorkgroupStorageSize(){return 0}get maxComputeInvocationsPerWorkgroup(){return 0}get maxComputeWorkgroupSizeX(){return 0}get maxComputeWorkgroupSizeY(){return 0}get maxComputeWorkgroupSizeZ(){return 0}get maxComputeWorkgroupsPerDimension(){return 0}gl;limits={};constructor(t){super(),this.gl=t}getParameter(t){return this.limits[t]===void 0&&(this.limits[t]=this.gl.getParameter(t)),this.limits[t]||0}}});function yC(e){return e<34069?e+34069:e}function bC(e){switch(e){case 36053:return"success";case 36054:return"Mismatched attachments";case 36055:return"No attachments";case 36057:return"Height/width mismatch";case 36061:return"Unsupported or split attachments";case 36182:return"Samples mismatch";default:return`${e}`}}var Mt,Ts=R(()=>{re();mr();Mt=class extends Di{device;gl;handle;colorAttachments=[];depthStencilAttachment=null;constructor(t,i){super(t,i);let r=i.handle===null;this.device=t,this.gl=t.gl,this.handle=this.props.handle||r?this.props.handle:this.gl.createFramebuffer(),r||(t._setWebGLDebugMetadata(this.handle,this,{spector:this.props}),i.handle||(this.autoCreateAttachmentTextures(),this.updateAttachments()))}destroy(){super.destroy(),!this.destroyed&&this.handle!==null&&!this.props.handle&&this.gl.deleteFramebuffer(this.handle)}updateAttachments(){let t=this.gl.bindFramebuffer(36160,this.handle);for(let i=0;i<this.colorAttachments.length;++i){let r=this.colorAttachments[i];if(r){let n=36064+i;this._attachTextureView(n,r)}}if(this.depthStencilAttachment){let i=cg(this.depthStencilAttachment.props.format);this._attachTextureView(i,this.depthStencilAttachment)}if(this.device.props.debug){let i=this.gl.checkFramebufferStatus(36160);if(i!==36053)throw new Error(`Framebuffer ${bC(i)}`)}this.gl.bindFramebuffer(36160,t)}_attachTextureView(t,i){let{gl:r}=this.device,{texture:n}=i,o=i.props.baseMipLevel,s=i.props.baseArrayLayer;switch(r.bindTexture(n.glTarget,n.handle),n.glTarget){case 35866:case 32879:r.framebufferTextureLayer(36160,t,n.handle,o,s);break;case 34067:let a=yC(s);r.framebufferTexture2D(36160,t,a,n.handle,o);break;case 3553:r.framebufferTexture2D(36160,t,3553,n.handle,o);break;default:throw new Error("Illegal texture type")}r.bindTexture(n.glTarget,null)}resizeAttachments(t,i){if(this.handle===null){this.width=t,this.height=i;return}super.resizeAttachments(t,i)}}});var Ps,hg=R(()=>{re();Ts();Ps=class extends tn{device;handle=null;_framebuffer=null;get[Symbol.toStringTag](){return"WebGLCanvasContext"}constructor(t,i){super(i),this.device=t,this._setAutoCreatedCanvasId(`${this.device.id}-canvas`),this._configureDevice()}_configureDevice(){(this.drawingBufferWidth!==this._framebuffer?.width||this.drawingBufferHeight!==this._framebuffer?.height)&&this._framebuffer?.resize([this.drawingBufferWidth,this.drawingBufferHeight])}_getCurrentFramebuffer(){return this._framebuffer||=new Mt(this.device,{id:"canvas-context-framebuffer",handle:null,width:this.drawingBufferWidth,height:this.drawingBufferHeight}),this._framebuffer}}});var Cs,pg=R(()=>{re();Cs=class extends rn{device;handle=null;context2d;get[Symbol.toStringTag](){return"WebGLPresentationContext"}constructor(t,i={}){super(i),this.device=t;let r=`${this[Symbol.toStringTag]}(${this.id})`;if(!this.device.getDefaultCanvasContext().offscreenCanvas)throw new Error(`${r}: WebGL PresentationContext requires the default CanvasContext canvas to be an OffscreenCanvas`);let o=this.canvas.getContext("2d");if(!o)throw new Error(`${r}: Failed to create 2d presentation context`);this.context2d=o,this._setAutoCreatedCanvasId(`${this.device.id}-presentation-canvas`),this._configureDevice(),this._startObservers()}present(){this._resizeDrawingBufferIfNeeded(),this.device.submit();let t=this.device.getDefaultCanvasContext(),[i,r]=t.getDrawingBufferSize();if(!(this.drawingBufferWidth===0||this.drawingBufferHeight===0||i===0||r===0||t.canvas.width===0||t.canvas.height===0)){if(i!==this.drawingBufferWidth||r!==this.drawingBufferHeight||t.canvas.width!==this.drawingBufferWidth||t.canvas.height!==this.drawingBufferHeight)throw new Error(`${this[Symbol.toStringTag]}(${this.id}): Default canvas context size ${i}x${r} does not match presentation size ${this.drawingBufferWidth}x${this.drawingBufferHeight}`);this.context2d.clearRect(0,0,this.drawingBufferWidth,this.drawingBufferHeight),this.context2d.drawImage(t.canvas,0,0)}}_configureDevice(){}_getCurrentFramebuffer(t){let i=this.device.getDefaultCanvasContext();return i.setDrawingBufferSize(this.drawingBufferWidth,this.drawingBufferHeight),i.getCurrentFramebuffer(t)}}});function mg(e="id"){tu[e]=tu[e]||1;let t=tu[e]++;return`${e}-${t}`}var tu,gg=R(()=>{tu={}});function SC(e){return e&L.INDEX?34963:e&L.VERTEX?34962:e&L.UNIFORM?35345:34962}function vC(e){return e&L.INDEX||e&L.VERTEX?35044:e&L.UNIFORM?35048:35044}var pt,As=R(()=>{re();pt=class extends L{device;gl;handle;glTarget;glUsage;glIndexType=5123;byteLength=0;bytesUsed=0;constructor(t,i={}){super(t,i),this.device=t,this.gl=this.device.gl;let r=typeof i=="object"?i.handle:void 0;this.handle=r||this.gl.createBuffer(),t._setWebGLDebugMetadata(this.handle,this,{spector:{...this.props,data:typeof this.props.data}}),this.glTarget=SC(this.props.usage),this.glUsage=vC(this.props.usage),this.glIndexType=this.props.indexType==="uint32"?5125:5123,i.data?this._initWithData(i.data,i.byteOffset,i.byteLength):this._initWithByteLength(i.byteLength||0)}destroy(){!this.destroyed&&this.handle&&(this.removeStats(),this.props.handle?this.trackDeallocatedReferencedMemory("Buffer"):(this.trackDeallocatedMemory(),this.gl.deleteBuffer(this.handle)),this.destroyed=!0,this.handle=null)}_initWithData(t,i=0,r=t.byteLength+i){let n=this.glTarget;this.gl.bindBuffer(n,this.handle),this.gl.bufferData(n,r,this.glUsage),this.gl.bufferSubData(n,i,t),this.gl.bindBuffer(n,null),this.bytesUsed=r,this.byteLength=r,this._setDebugData(t,i,r),this.props.handle?this.trackReferencedMemory(r,"Buffer"):this.trackAllocatedMemory(r)}_initWithByteLength(t){let i=t;t===0&&(i=new Float32Array(0));let r=this.glTarget;return this.gl.bindBuffer(r,this.handle),this.gl.bufferData(r,i,this.glUsage),this.gl.bindBuffer(r,null),this.bytesUsed=t,this.byteLength=t,this._setDebugData(null,0,t),this.props.handle?this.trackReferencedMemory(t,"Buffer"):this.trackAllocatedMemory(t),this}write(t,i=0){let r=ArrayBuffer.isView(t)?t:new Uint8Array(t),n=0,o=void 0,s=36663;this.gl.bindBuffer(s,this.handle),n!==0||o!==void 0?this.gl.bufferSubData(s,i,r,n,o):this.gl.bufferSubData(s,i,r),this.gl.bindBuffer(s,null),this._setDebugData(t,i,t.byteLength)}async mapAndWriteAsync(t,i=0,r=this.byteLength-i){let n=new ArrayBuffer(r);await t(n,"copied"),this.write(n,i)}async readAsync(t=0,i){return this.readSyncWebGL(t,i)}async mapAndReadAsync(t,i=0,r){let n=await this.readAsync(i,r);return await t(n.buffer,"copied")}readSyncWebGL(t=0,i){i=i??this.byteLength-t;let r=new Uint8Array(i),n=0;return this.gl.bindBuffer(36662,this.handle),this.gl.getBufferSubData(36662,t,r,n,i),this.gl.bindBuffer(36662,null),this._setDebugData(r,t,i),r}}});function xg(e){let t=e.split(/\r?\n/),i=[];for(let r of t){if(r.length<=1)continue;let n=r.trim(),o=r.split(":"),s=o[0]?.trim();if(o.length===2){let[h,m]=o;if(!h||!m){i.push({message:n,type:ws(s||"info"),lineNum:0,linePos:0});continue}i.push({message:m.trim(),type:ws(h),lineNum:0,linePos:0});continue}let[a,l,c,...u]=o;if(!a||!l||!c){i.push({message:o.slice(1).join(":").trim()||n,type:ws(s||"info"),lineNum:0,linePos:0});continue}let f=parseInt(c,10);Number.isNaN(f)&&(f=0);let d=parseInt(l,10);Number.isNaN(d)&&(d=0),i.push({message:u.join(":").trim(),type:ws(a),lineNum:f,linePos:d})}return i}function ws(e){let t=["warning","error","info"],i=e.toLowerCase();return t.includes(i)?i:"info"}var _g=R(()=>{});var Rs,yg=R(()=>{re();_g();Rs=class extends Mi{device;handle;constructor(t,i){switch(super(t,i),this.device=t,this.props.stage){case"vertex":this.handle=this.props.handle||this.device.gl.createShader(35633);break;case"fragment":this.handle=this.props.handle||this.device.gl.createShader(35632);break;default:throw new Error(this.props.stage)}t._setWebGLDebugMetadata(this.handle,this,{spector:this.props});let r=this._compile(this.source);r&&typeof r.catch=="function"&&r.catch(()=>{this.compilationStatus="error"})}destroy(){this.handle&&(this.removeStats(),this.device.gl.deleteShader(this.handle),this.destroyed=!0,this.handle.destroyed=!0)}get asyncCompilationStatus(){return this._waitForCompilationComplete().then(()=>(this._getCompilationStatus(),this.compilationStatus))}async getCompilationInfo(){return await this._waitForCompilationComplete(),this.getCompilationInfoSync()}getCompilationInfoSync(){let t=this.device.gl.getShaderInfoLog(this.handle);return t?xg(t):[]}getTranslatedSource(){return this.device.getExtension("WEBGL_debug_shaders").WEBGL_debug_shaders?.getTranslatedShaderSource(this.handle)||null}_compile(t){t=t.startsWith("#version ")?t:`#version 300 es
${t}`;let{gl:i}=this.device;if(i.shaderSource(this.handle,t),i.compileShader(this.handle),!this.device.props.debug){this.compilationStatus="pending";return}if(!this.device.features.has("compilation-status-async-webgl")){if(this._getCompilationStatus(),this.debugShader(),this.compilationStatus==="error")throw new Error(`GLSL compilation errors in ${this.props.stage} shader ${this.props.id}`);return}return C.once(1,"Shader compilation is asynchronous")(),this._waitForCompilationComplete().then(()=>{C.info(2,`Shader ${this.id} - async compilation complete: ${this.compilationStatus}`)(),this._getCompilationStatus(),this.debugShader()})}async _waitForCompilationComplete(){let t=async n=>await new Promise(o=>setTimeout(o,n));if(!this.device.features.has("compilation-status-async-webgl")){await t(10);return}let{gl:r}=this.device;for(;;){if(r.getShaderParameter(this.handle,37297))return;await t(10)}}_getCompilationStatus(){this.compilationStatus=this.device.gl.getShaderParameter(this.handle,35713)?"success":"error"}}});function Sg(e,t,i,r){if(AC(t))return r(e);let n=e;n.pushState();try{return TC(e,t),ft(n.gl,i),r(e)}finally{n.popState()}}function TC(e,t){let i=e,{gl:r}=i;if(t.cullMode)switch(t.cullMode){case"none":r.disable(2884);break;case"front":r.enable(2884),r.cullFace(1028);break;case"back":r.enable(2884),r.cullFace(1029);break}if(t.frontFace&&r.frontFace(Fi("frontFace",t.frontFace,{ccw:2305,cw:2304})),t.unclippedDepth&&e.features.has("depth-clip-control")&&r.enable(34383),t.depthBias!==void 0&&(r.enable(32823),r.polygonOffset(t.depthBias,t.depthBiasSlopeScale||0)),t.provokingVertex&&e.features.has("provoking-vertex-webgl")){let o=i.getExtension("WEBGL_provoking_vertex").WEBGL_provoking_vertex,s=Fi("provokingVertex",t.provokingVertex,{first:36429,last:36430});o?.provokingVertexWEBGL(s)}if((t.polygonMode||t.polygonOffsetLine)&&e.features.has("polygon-mode-webgl")){if(t.polygonMode){let o=i.getExtension("WEBGL_polygon_mode").WEBGL_polygon_mode,s=Fi("polygonMode",t.polygonMode,{fill:6914,line:6913});o?.polygonModeWEBGL(1028,s),o?.polygonModeWEBGL(1029,s)}t.polygonOffsetLine&&r.enable(10754)}if(e.features.has("shader-clip-cull-distance-webgl")&&(t.clipDistance0&&r.enable(12288),t.clipDistance1&&r.enable(12289),t.clipDistance2&&r.enable(12290),t.clipDistance3&&r.enable(12291),t.clipDistance4&&r.enable(12292),t.clipDistance5&&r.enable(12293),t.clipDistance6&&r.enable(12294),t.clipDistance7&&r.enable(12295)),t.depthWriteEnabled!==void 0&&r.depthMask(CC("depthWriteEnabled",t.depthWriteEnabled)),t.depthCompare&&(t.depthCompare!=="always"?r.enable(2929):r.disable(2929),r.depthFunc(Is("depthCompare",t.depthCompare))),t.clearDepth!==void 0&&r.clearDepth(t.clearDepth),t.stencilWriteMask){let n=t.stencilWriteMask;r.stencilMaskSeparate(1028,n),r.stencilMaskSeparate(1029,n)}if(t.stencilReadMask&&C.warn("stencilReadMask not supported under WebGL"),t.stencilCompare){let n=t.stencilReadMask||4294967295,o=Is("depthCompare",t.stencilCompare);t.stencilCompare!=="always"?r.enable(2960):r.disable(2960),r.stencilFuncSeparate(1028,o,0,n),r.stencilFuncSeparate(1029,o,0,n)}if(t.stencilPassOperation&&t.stencilFailOperation&&t.stencilDepthFailOperation){let n=iu("stencilPassOperation",t.stencilPassOperation),o=iu("stencilFailOperation",t.stencilFailOperation),s=iu("stencilDepthFailOperation",t.stencilDepthFailOperation);r.stencilOpSeparate(1028,o,s,n),r.stencilOpSeparate(1029,o,s,n)}switch(t.blend){case!0:r.enable(3042);break;case!1:r.disable(3042);break;default:}if(t.blendColorOperation||t.blendAlphaOperation){let n=bg("blendColorOperation",t.blendColorOperation||"add"),o=bg("blendAlphaOperation",t.blendAlphaOperation||"add");r.blendEquationSeparate(n,o);let s=Es("blendColorSrcFactor",t.blendColorSrcFactor||"one"),a=Es("blendColorDstFactor",t.blendColorDstFactor||"zero"),l=Es("blendAlphaSrcFactor",t.blendAlphaSrcFactor||"one"),c=Es("blendAlphaDstFactor",t.blendAlphaDstFactor||"zero");r.blendFuncSeparate(s,a,l,c)}}function Is(e,t){return Fi(e,t,{never:512,less:513,equal:514,"less-equal":515,greater:516,"not-equal":517,"greater-equal":518,always:519})}function iu(e,t){return Fi(e,t,{keep:7680,zero:0,replace:7681,invert:5386,"increment-clamp":7682,"decrement-clamp":7683,"increment-wrap":34055,"decrement-wrap":34056})}function bg(e,t){return Fi(e,t,{add:32774,subtract:32778,"reverse-subtract":32779,min:32775,max:32776})}function Es(e,t,i="color"){return Fi(e,t,{one:1,zero:0,src:768,"one-minus-src":769,dst:774,"one-minus-dst":775,"src-alpha":770,"one-minus-src-alpha":771,"dst-alpha":772,"one-minus-dst-alpha":773,"src-alpha-saturated":776,constant:i==="color"?32769:32771,"one-minus-constant":i==="color"?32770:32772,src1:768,"one-minus-src1":769,"src1-alpha":770,"one-minus-src1-alpha":771})}function PC(e,t){return`Illegal parameter ${t} for ${e}`}function Fi(e,t,i){if(!(t in i))throw new Error(PC(e,t));return i[t]}function CC(e,t){return t}function AC(e){let t=!0;for(let i in e){t=!1;break}return t}var ru=R(()=>{re();dr()});function Ms(e){let t={};return e.addressModeU&&(t[10242]=nu(e.addressModeU)),e.addressModeV&&(t[10243]=nu(e.addressModeV)),e.addressModeW&&(t[32882]=nu(e.addressModeW)),e.magFilter&&(t[10240]=ou(e.magFilter)),(e.minFilter||e.mipmapFilter)&&(t[10241]=wC(e.minFilter||"linear",e.mipmapFilter)),e.lodMinClamp!==void 0&&(t[33082]=e.lodMinClamp),e.lodMaxClamp!==void 0&&(t[33083]=e.lodMaxClamp),e.type==="comparison-sampler"&&(t[34892]=34894),e.compare&&(t[34893]=Is("compare",e.compare)),e.maxAnisotropy&&(t[34046]=e.maxAnisotropy),t}function nu(e){switch(e){case"clamp-to-edge":return 33071;case"repeat":return 10497;case"mirror-repeat":return 33648}}function ou(e){switch(e){case"nearest":return 9728;case"linear":return 9729}}function wC(e,t="none"){if(!t)return ou(e);switch(t){case"none":return ou(e);case"nearest":switch(e){case"nearest":return 9984;case"linear":return 9985}break;case"linear":switch(e){case"nearest":return 9986;case"linear":return 9987}}}var su=R(()=>{ru()});var Ds,vg=R(()=>{re();su();Ds=class extends ut{device;handle;parameters;constructor(t,i){super(t,i),this.device=t,this.parameters=Ms(i),this.handle=i.handle||this.device.gl.createSampler(),this._setSamplerParameters(this.parameters)}destroy(){this.handle&&(this.device.gl.deleteSampler(this.handle),this.handle=void 0)}toString(){return`Sampler(${this.id},${JSON.stringify(this.props)})`}_setSamplerParameters(t){for(let[i,r]of Object.entries(t)){let n=Number(i);switch(n){case 33082:case 33083:this.device.gl.samplerParameterf(this.handle,n,r);break;default:this.device.gl.samplerParameteri(this.handle,n,r);break}}}}});function Dt(e,t,i){if(RC(t))return i(e);let{nocatch:r=!0}=t,n=dt.get(e);n.push(),ft(e,t);let o;if(r)o=i(e),n.pop();else try{o=i(e)}finally{n.pop()}return o}function RC(e){for(let t in e)return!1;return!0}var ks=R(()=>{dr();Gc()});var kt,au=R(()=>{re();kt=class extends Ii{device;gl;handle;texture;constructor(t,i){super(t,{...B.defaultProps,...i}),this.device=t,this.gl=this.device.gl,this.handle=null,this.texture=i.texture}}});function Fs(e){return EC[e]}var EC,lu=R(()=>{EC={5124:"sint32",5125:"uint32",5122:"sint16",5123:"uint16",5120:"sint8",5121:"uint8",5126:"float32",5131:"float16",33635:"uint16",32819:"uint16",32820:"uint16",33640:"uint32",35899:"uint32",35902:"uint32",34042:"uint32",36269:"uint32"}});function IC(e,t=0){return t?new e.constructor(e.buffer,e.byteOffset+t,(e.byteLength-t)/e.BYTES_PER_ELEMENT):e}function MC(e,t){if(t%e.BYTES_PER_ELEMENT!==0)throw new Error(`Texture byteOffset ${t} must align to typed array element size ${e.BYTES_PER_ELEMENT}`);return t/e.BYTES_PER_ELEMENT}function DC(e){switch(e){case"1d":break;case"2d":return 3553;case"3d":return 32879;case"cube":return 34067;case"2d-array":return 35866;case"cube-array":break}throw new Error(e)}function Ns(e,t,i){return t==="cube"?34069+i:e}var Ft,Bs=R(()=>{re();mr();su();ks();au();lu();Ft=class extends B{device;gl;handle;sampler=void 0;view;glTarget;glFormat;glType;glInternalFormat;compressed;_textureUnit=0;_framebuffer=null;_framebufferAttachmentKey=null;constructor(t,i){super(t,i,{byteAlignment:1}),this.device=t,this.gl=this.device.gl;let r=bs(this.props.format);this.glTarget=DC(this.props.dimension),this.glInternalFormat=r.internalFormat,this.glFormat=r.format,this.glType=r.type,this.compressed=r.compressed,this.handle=this.props.handle||this.gl.createTexture(),this.device._setWebGLDebugMetadata(this.handle,this,{spector:this.props}),this.gl.bindTexture(this.glTarget,this.handle);let{dimension:n,width:o,height:s,depth:a,mipLevels:l,glTarget:c,glInternalFormat:u}=this;if(!this.compressed)switch(n){case"2d":case"cube":this.gl.texStorage2D(c,l,u,o,s);break;case"2d-array":case"3d":this.gl.texStorage3D(c,l,u,o,s,a);break;default:throw new Error(n)}this.gl.bindTexture(this.glTarget,null),this._initializeData(i.data),this.props.handle?this.trackReferencedMemory(this.getAllocatedByteLength(),"Texture"):this.trackAllocatedMemory(this.getAllocatedByteLength(),"Texture"),this.setSampler(this.props.sampler),this.view=new kt(this.device,{...this.props,texture:this}),Object.seal(this)}destroy(){this.handle&&(this._framebuffer?.destroy(),this._framebuffer=null,this._framebufferAttachmentKey=null,this.removeStats(),this.props.handle?this.trackDeallocatedReferencedMemory("Texture"):(this.gl.deleteTexture(this.handle),this.trackDeallocatedMemory("Texture")),this.destroyed=!0)}createView(t){return new kt(this.device,{...t,texture:this})}setSampler(t={}){super.setSampler(t);let i=Ms(this.sampler.props);this._setSamplerParameters(i)}copyExternalImage(t){let i=this._normalizeCopyExternalImageOptions(t);if(i.sourceX||i.sourceY)throw new Error("WebGL does not support sourceX/sourceY)");let{glFormat:r,glType:n}=this,{image:o,depth:s,mipLevel:a,x:l,y:c,z:u,width:f,height:d}=i,h=Ns(this.glTarget,this.dimension,u),m=i.flipY?{37440:!0}:{};return this.gl.bindTexture(this.glTarget,this.handle),Dt(this.gl,m,()=>{switch(this.dimension){case"2d":case"cube":this.gl.texSubImage2D(h,a,l,c,f,d,r,n,o);break;case"2d-array":case"3d":this.gl.texSubImage3D(h,a,l,c,u,f,d,s,r,n,o);break;default:}}),this.gl.bindTexture(this.glTarget,null),{width:i.width,height:i.height}}copyImageData(t){super.copyImageData(t)}readBuffer(t={},i){if(!i)throw new Error(`${this} readBuffer requires a destination buffer`);let r=this._getSupportedColorReadOptions(t),n=t.byteOffset??0,o=this.computeMemoryLayout(r);if(i.byteLength<n+o.byteLength)throw new Error(`${this} readBuffer target is too small (${i.byteLength} < ${n+o.byteLength})`);let s=i;this.gl.bindBuffer(35051,s.handle);try{this._readColorTextureLayers(r,o,a=>{this.gl.readPixels(r.x,r.y,r.width,r.height,this.glFormat,this.glType,n+a)})}finally{this.gl.bindBuffer(35051,null)}return i}async readDataAsync(t={}){throw new Error(`${this} readDataAsync is deprecated; use readBuffer() with an explicit destination buffer or DynamicTexture.readAsync()`)}writeBuffer(t,i={}){let r=this._normalizeTextureWriteOptions(i),{width:n,height:o,depthOrArrayLayers:s,mipLevel:a,byteOffset:l,x:c,y:u,z:f}=r,{glFormat:d,glType:h,compressed:m}=this,g=Ns(this.glTarget,this.dimension,f);if(m)throw new Error("writeBuffer for compressed textures is not implemented in WebGL");let{bytesPerPixel:b}=this.device.getTextureFormatInfo(this.format),x=b?r.bytesPerRow/b:void 0,v={3317:this.byteAlignment,...x!==void 0?{3314:x}:{},32878:r.rowsPerImage};this.gl.bindTexture(this.glTarget,this.handle),this.gl.bindBuffer(35052,t.handle),Dt(this.gl,v,()=>{switch(this.dimension){case"2d":case"cube":this.gl.texSubImage2D(g,a,c,u,n,o,d,h,l);break;case"2d-array":case"3d":this.gl.texSubImage3D(g,a,c,u,f,n,o,s,d,h,l);break;default:}}),this.gl.bindBuffer(35052,null),this.gl.bindTexture(this.glTarget,null)}writeData(t,i={}){let r=this._normalizeTextureWriteOptions(i),n=ArrayBuffer.isView(t)?t:new Uint8Array(t),{width:o,height:s,depthOrArrayLayers:a,mipLevel:l,x:c,y:u,z:f,byteOffset:d}=r,{glFormat:h,glType:m,compressed:g}=this,b=Ns(this.glTarget,this.dimension,f),x;if(!g){let{bytesPerPixel:I}=this.device.getTextureFormatInfo(this.format);I&&(x=r.bytesPerRow/I)}let v=this.compressed?{}:{3317:this.byteAlignment,...x!==void 0?{3314:x}:{},32878:r.rowsPerImage},T=MC(n,d),_=g?IC(n,d):n,w=this._getMipLevelSize(l),A=c===0&&u===0&&f===0&&o===w.width&&s===w.height&&a===w.depthOrArrayLayers;this.gl.bindTexture(this.glTarget,this.handle),this.gl.bindBuffer(35052,null),Dt(this.gl,v,()=>{switch(this.dimension){case"2d":case"cube":g?A?this.gl.compressedTexImage2D(b,l,h,o,s,0,_):this.gl.compressedTexSubImage2D(b,l,c,u,o,s,h,_):this.gl.texSubImage2D(b,l,c,u,o,s,h,m,n,T);break;case"2d-array":case"3d":g?A?this.gl.compressedTexImage3D(b,l,h,o,s,a,0,_):this.gl.compressedTexSubImage3D(b,l,c,u,f,o,s,a,h,_):this.gl.texSubImage3D(b,l,c,u,f,o,s,a,h,m,n,T);break;default:}}),this.gl.bindTexture(this.glTarget,null)}_getRowByteAlignment(t,i){return 1}_getFramebuffer(){return this._framebuffer||=this.device.createFramebuffer({id:`framebuffer-for-${this.id}`,width:this.width,height:this.height,colorAttachments:[this]}),this._framebuffer}readDataSyncWebGL(t={}){let i=this._getSupportedColorReadOptions(t),r=this.computeMemoryLayout(i),n=Fs(this.glType),o=Dc(n),s=new o(r.byteLength/o.BYTES_PER_ELEMENT);return this._readColorTextureLayers(i,r,a=>{let l=new o(s.buffer,s.byteOffset+a,r.bytesPerImage/o.BYTES_PER_ELEMENT);this.gl.readPixels(i.x,i.y,i.width,i.height,this.glFormat,this.glType,l)}),s.buffer}_readColorTextureLayers(t,i,r){let n=this._getFramebuffer(),o=i.bytesPerRow/i.bytesPerPixel,s={3333:this.byteAlignment,...o!==t.width?{3330:o}:{}},a=this.gl.getParameter(3074),l=this.gl.bindFramebuffer(36160,n.handle);try{this.gl.readBuffer(36064),Dt(this.gl,s,()=>{for(let c=0;c<t.depthOrArrayLayers;c++)this._attachReadSubresource(n,t.mipLevel,t.z+c),r(c*i.bytesPerImage)})}finally{this.gl.bindFramebuffer(36160,l||null),this.gl.readBuffer(a)}}_attachReadSubresource(t,i,r){let n=`${i}:${r}`;if(this._framebufferAttachmentKey!==n){switch(this.dimension){case"2d":this.gl.framebufferTexture2D(36160,36064,3553,this.handle,i);break;case"cube":this.gl.framebufferTexture2D(36160,36064,Ns(this.glTarget,this.dimension,r),this.handle,i);break;case"2d-array":case"3d":this.gl.framebufferTextureLayer(36160,36064,this.handle,i,r);break;default:throw new Error(`${this} color readback does not support ${this.dimension} textures`)}if(this.device.props.debug){let o=Number(this.gl.checkFramebufferStatus(36160));if(o!==36053)throw new Error(`${t} incomplete for ${this} readback (${o})`)}this._framebufferAttachmentKey=n}}generateMipmapsWebGL(t){if(!(!(this.device.isTextureFormatRenderable(this.props.format)&&this.device.isTextureFormatFilterable(this.props.format))&&(C.warn(`${this} is not renderable or filterable, may not be able to generate mipmaps`)(),!t?.force)))try{this.gl.bindTexture(this.glTarget,this.handle),this.gl.generateMipmap(this.glTarget)}catch(r){C.warn(`Error generating mipmap for ${this}: ${r.message}`)()}finally{this.gl.bindTexture(this.glTarget,null)}}_setSamplerParameters(t){C.log(2,`${this.id} sampler parameters`,this.device.getGLKeys(t))(),this.gl.bindTexture(this.glTarget,this.handle);for(let[i,r]of Object.entries(t)){let n=Number(i),o=r;switch(n){case 33082:case 33083:this.gl.texParameterf(this.glTarget,n,o);break;case 10240:case 10241:this.gl.texParameteri(this.glTarget,n,o);break;case 10242:case 10243:case 32882:this.gl.texParameteri(this.glTarget,n,o);break;case 34046:this.device.features.has("texture-filterable-anisotropic-webgl")&&this.gl.texParameteri(this.glTarget,n,o);break;case 34892:case 34893:this.gl.texParameteri(this.glTarget,n,o);break}}this.gl.bindTexture(this.glTarget,null)}_getActiveUnit(){return this.gl.getParameter(34016)-33984}_bind(t){let{gl:i}=this;return t!==void 0&&(this._textureUnit=t,i.activeTexture(33984+t)),i.bindTexture(this.glTarget,this.handle),t}_unbind(t){let{gl:i}=this;return t!==void 0&&(this._textureUnit=t,i.activeTexture(33984+t)),i.bindTexture(this.glTarget,null),t}}});function Tg(e,t,i,r){let n=e,o=r;o===!0&&(o=1),o===!1&&(o=0);let s=typeof o=="number"?[o]:o;switch(i){case 35678:case 35680:case 35679:case 35682:case 36289:case 36292:case 36293:case 36298:case 36299:case 36300:case 36303:case 36306:case 36307:case 36308:case 36311:if(typeof r!="number")throw new Error("samplers must be set to integers");return e.uniform1i(t,r);case 5126:return e.uniform1fv(t,s);case 35664:return e.uniform2fv(t,s);case 35665:return e.uniform3fv(t,s);case 35666:return e.uniform4fv(t,s);case 5124:return e.uniform1iv(t,s);case 35667:return e.uniform2iv(t,s);case 35668:return e.uniform3iv(t,s);case 35669:return e.uniform4iv(t,s);case 35670:return e.uniform1iv(t,s);case 35671:return e.uniform2iv(t,s);case 35672:return e.uniform3iv(t,s);case 35673:return e.uniform4iv(t,s);case 5125:return n.uniform1uiv(t,s,1);case 36294:return n.uniform2uiv(t,s,2);case 36295:return n.uniform3uiv(t,s,3);case 36296:return n.uniform4uiv(t,s,4);case 35674:return e.uniformMatrix2fv(t,!1,s);case 35675:return e.uniformMatrix3fv(t,!1,s);case 35676:return e.uniformMatrix4fv(t,!1,s);case 35685:return n.uniformMatrix2x3fv(t,!1,s);case 35686:return n.uniformMatrix2x4fv(t,!1,s);case 35687:return n.uniformMatrix3x2fv(t,!1,s);case 35688:return n.uniformMatrix3x4fv(t,!1,s);case 35689:return n.uniformMatrix4x2fv(t,!1,s);case 35690:return n.uniformMatrix4x3fv(t,!1,s)}throw new Error("Illegal uniform")}var Pg=R(()=>{});function Cg(e){switch(e){case"point-list":return 0;case"line-list":return 1;case"line-strip":return 3;case"triangle-list":return 4;case"triangle-strip":return 5;default:throw new Error(e)}}function Ag(e){switch(e){case"point-list":return 0;case"line-list":return 1;case"line-strip":return 1;case"triangle-list":return 4;case"triangle-strip":return 4;default:throw new Error(e)}}var cu=R(()=>{});function kC(e,t){let i={...e,attributes:e.attributes.map(r=>({...r})),bindings:e.bindings.map(r=>({...r}))};for(let r of t?.attributes||[]){let n=i.attributes.find(o=>o.name===r.name);n?(n.type=r.type||n.type,n.stepMode=r.stepMode||n.stepMode):C.warn(`shader layout attribute ${r.name} not present in shader`)}for(let r of t?.bindings||[]){let n=Rg(i,r.name);if(!n){C.warn(`shader layout binding ${r.name} not present in shader`);continue}Object.assign(n,r)}return i}function Rg(e,t){return e.bindings.find(i=>i.name===t||i.name===`${t}Uniforms`||`${i.name}Uniforms`===t)}function wg(e,t){return e[t]||e[`${t}Uniforms`]||e[t.replace(/Uniforms$/,"")]}var Os,Eg=R(()=>{re();ru();Pg();As();Ts();Bs();au();cu();Os=class extends et{device;handle;vs;fs;introspectedLayout;bindings={};uniforms={};varyings=null;_uniformCount=0;_uniformSetters={};get[Symbol.toStringTag](){return"WEBGLRenderPipeline"}constructor(t,i){super(t,i),this.device=t;let r=this.sharedRenderPipeline||this.device._createSharedRenderPipelineWebGL(i);this.sharedRenderPipeline=r,this.handle=r.handle,this.vs=r.vs,this.fs=r.fs,this.linkStatus=r.linkStatus,this.introspectedLayout=r.introspectedLayout,this.device._setWebGLDebugMetadata(this.handle,this,{spector:{id:this.props.id}}),this.shaderLayout=i.shaderLayout?kC(this.introspectedLayout,i.shaderLayout):this.introspectedLayout}destroy(){this.destroyed||(this.sharedRenderPipeline&&!this.props._sharedRenderPipeline&&this.sharedRenderPipeline.destroy(),this.destroyResource())}setBindings(t,i){let r=os(ln(this.shaderLayout,t));for(let[n,o]of Object.entries(r)){let s=Rg(this.shaderLayout,n);if(s){switch(o||C.warn(`Unsetting binding "${n}" in render pipeline "${this.id}"`)(),s.type){case"uniform":if(!(o instanceof pt)&&!(o.buffer instanceof pt))throw new Error("buffer value");break;case"texture":if(!(o instanceof kt||o instanceof Ft||o instanceof Mt))throw new Error(`${this} Bad texture binding for ${n}`);break;case"sampler":C.warn(`Ignoring sampler ${n}`)();break;default:throw new Error(s.type)}this.bindings[n]=o}else{let a=this.shaderLayout.bindings.map(l=>`"${l.name}"`).join(", ");i?.disableWarnings||C.warn(`No binding "${n}" in render pipeline "${this.id}", expected one of ${a}`,o)()}}}draw(t){this._syncLinkStatus();let i=t.bindGroups?os(t.bindGroups):t.bindings||this.bindings,{renderPass:r,parameters:n=this.props.parameters,topology:o=this.props.topology,vertexArray:s,vertexCount:a,instanceCount:l,isInstanced:c=!1,firstVertex:u=0,transformFeedback:f,uniforms:d=this.uniforms}=t,h=Cg(o),m=!!s.indexBuffer,g=s.indexBuffer?.glIndexType;if(this.linkStatus!=="success")return C.info(2,`RenderPipeline:${this.id}.draw() aborted - waiting for shader linking`)(),!1;if(!this._areTexturesRenderable(i))return C.info(2,`RenderPipeline:${this.id}.draw() aborted - textures not yet loaded`)(),!1;this.device.gl.useProgram(this.handle),s.bindBeforeRender(r),f&&f.begin(this.props.topology),this._applyBindings(i,{disableWarnings:this.props.disableWarnings}),this._applyUniforms(d);let b=r;return Sg(this.device,n,b.glParameters,()=>{m&&c?this.device.gl.drawElementsInstanced(h,a||0,g,u,l||0):m?this.device.gl.drawElements(h,a||0,g,u):c?this.device.gl.drawArraysInstanced(h,u,a||0,l||0):this.device.gl.drawArrays(h,u,a||0),f&&f.end()}),s.unbindAfterRender(r),!0}_areTexturesRenderable(t){let i=!0;for(let r of this.shaderLayout.bindings)wg(t,r.name)||(C.warn(`Binding ${r.name} not found in ${this.id}`)(),i=!1);return i}_applyBindings(t,i){if(this._syncLinkStatus(),this.linkStatus!=="success")return;let{gl:r}=this.device;r.useProgram(this.handle);let n=0,o=0;for(let s of this.shaderLayout.bindings){let a=wg(t,s.name);if(!a)throw new Error(`No value for binding ${s.name} in ${this.id}`);switch(s.type){case"uniform":let{name:l}=s,c=r.getUniformBlockIndex(this.handle,l);if(c===4294967295)throw new Error(`Invalid uniform block name ${l}`);if(r.uniformBlockBinding(this.handle,c,o),a instanceof pt)r.bindBufferBase(35345,o,a.handle);else{let f=a;r.bindBufferRange(35345,o,f.buffer.handle,f.offset||0,f.size||f.buffer.byteLength-(f.offset||0))}o+=1;break;case"texture":if(!(a instanceof kt||a instanceof Ft||a instanceof Mt))throw new Error("texture");let u;if(a instanceof kt)u=a.texture;else if(a instanceof Ft)u=a;else if(a instanceof Mt&&a.colorAttachments[0]instanceof kt)C.warn("Passing framebuffer in texture binding may be deprecated. Use fbo.colorAttachments[0] instead")(),u=a.colorAttachments[0].texture;else throw new Error("No texture");r.activeTexture(33984+n),r.bindTexture(u.glTarget,u.handle),n+=1;break;case"sampler":break;case"storage":case"read-only-storage":throw new Error(`binding type '${s.type}' not supported in WebGL`)}}}_applyUniforms(t){for(let i of this.shaderLayout.uniforms||[]){let{name:r,location:n,type:o,textureUnit:s}=i,a=t[r]??s;a!==void 0&&Tg(this.device.gl,n,o,a)}}_syncLinkStatus(){this.linkStatus=this.sharedRenderPipeline.linkStatus}}});function Ig(e){return NC[e]}function Us(e){return FC[e]}function Ls(e){return!!Dg[e]}function Mg(e){return Dg[e]}var FC,Dg,NC,zs=R(()=>{FC={5126:"f32",35664:"vec2<f32>",35665:"vec3<f32>",35666:"vec4<f32>",5124:"i32",35667:"vec2<i32>",35668:"vec3<i32>",35669:"vec4<i32>",5125:"u32",36294:"vec2<u32>",36295:"vec3<u32>",36296:"vec4<u32>",35670:"f32",35671:"vec2<f32>",35672:"vec3<f32>",35673:"vec4<f32>",35674:"mat2x2<f32>",35685:"mat2x3<f32>",35686:"mat2x4<f32>",35687:"mat3x2<f32>",35675:"mat3x3<f32>",35688:"mat3x4<f32>",35689:"mat4x2<f32>",35690:"mat4x3<f32>",35676:"mat4x4<f32>"},Dg={35678:{viewDimension:"2d",sampleType:"float"},35680:{viewDimension:"cube",sampleType:"float"},35679:{viewDimension:"3d",sampleType:"float"},35682:{viewDimension:"3d",sampleType:"depth"},36289:{viewDimension:"2d-array",sampleType:"float"},36292:{viewDimension:"2d-array",sampleType:"depth"},36293:{viewDimension:"cube",sampleType:"float"},36298:{viewDimension:"2d",sampleType:"sint"},36299:{viewDimension:"3d",sampleType:"sint"},36300:{viewDimension:"cube",sampleType:"sint"},36303:{viewDimension:"2d-array",sampleType:"uint"},36306:{viewDimension:"2d",sampleType:"uint"},36307:{viewDimension:"3d",sampleType:"uint"},36308:{viewDimension:"cube",sampleType:"uint"},36311:{viewDimension:"2d-array",sampleType:"uint"}},NC={uint8:5121,sint8:5120,unorm8:5121,snorm8:5120,uint16:5123,sint16:5122,unorm16:5123,snorm16:5122,uint32:5125,sint32:5124,float16:5131,float32:5126}});function kg(e,t){let i={attributes:[],bindings:[]};i.attributes=BC(e,t);let r=LC(e,t);for(let a of r){let l=a.uniforms.map(c=>({name:c.name,format:c.format,byteOffset:c.byteOffset,byteStride:c.byteStride,arrayLength:c.arrayLength}));i.bindings.push({type:"uniform",name:a.name,group:0,location:a.location,visibility:(a.vertex?1:0)&(a.fragment?2:0),minBindingSize:a.byteLength,uniforms:l})}let n=UC(e,t),o=0;for(let a of n)if(Ls(a.type)){let{viewDimension:l,sampleType:c}=Mg(a.type);i.bindings.push({type:"texture",name:a.name,group:0,location:o,viewDimension:l,sampleType:c}),a.textureUnit=o,o+=1}n.length&&(i.uniforms=n);let s=OC(e,t);return s?.length&&(i.varyings=s),i}function BC(e,t){let i=[],r=e.getProgramParameter(t,35721);for(let n=0;n<r;n++){let o=e.getActiveAttrib(t,n);if(!o)throw new Error("activeInfo");let{name:s,type:a}=o,l=e.getAttribLocation(t,s);if(l>=0){let c=Us(a),u=/instance/i.test(s)?"instance":"vertex";i.push({name:s,location:l,stepMode:u,type:c})}}return i.sort((n,o)=>n.location-o.location),i}function OC(e,t){let i=[],r=e.getProgramParameter(t,35971);for(let n=0;n<r;n++){let o=e.getTransformFeedbackVarying(t,n);if(!o)throw new Error("activeInfo");let{name:s,type:a,size:l}=o,c=Us(a),{type:u,components:f}=ur(c);i.push({location:n,name:s,type:u,size:l*f})}return i.sort((n,o)=>n.location-o.location),i}function UC(e,t){let i=[],r=e.getProgramParameter(t,35718);for(let n=0;n<r;n++){let o=e.getActiveUniform(t,n);if(!o)throw new Error("activeInfo");let{name:s,size:a,type:l}=o,{name:c,isArray:u}=zC(s),f=e.getUniformLocation(t,c),d={location:f,name:c,size:a,type:l,isArray:u};if(i.push(d),d.size>1)for(let h=0;h<d.size;h++){let m=`${c}[${h}]`;f=e.getUniformLocation(t,m);let g={...d,name:m,location:f};i.push(g)}}return i}function LC(e,t){let i=(o,s)=>e.getActiveUniformBlockParameter(t,o,s),r=[],n=e.getProgramParameter(t,35382);for(let o=0;o<n;o++){let s={name:e.getActiveUniformBlockName(t,o)||"",location:i(o,35391),byteLength:i(o,35392),vertex:i(o,35396),fragment:i(o,35398),uniformCount:i(o,35394),uniforms:[]},a=i(o,35395)||[],l=e.getActiveUniforms(t,a,35383),c=e.getActiveUniforms(t,a,35384),u=e.getActiveUniforms(t,a,35387),f=e.getActiveUniforms(t,a,35388);for(let m=0;m<s.uniformCount;++m){let g=a[m];if(g!==void 0){let b=e.getActiveUniform(t,g);if(!b)throw new Error("activeInfo");let x=Us(l[m]);s.uniforms.push({name:b.name,format:x,type:l[m],arrayLength:c[m],byteOffset:u[m],byteStride:f[m]})}}let d=new Set(s.uniforms.map(m=>m.name.split(".")[0]).filter(m=>!!m)),h=s.name.replace(/Uniforms$/,"");if(d.size===1&&!d.has(s.name)&&!d.has(h)){let[m]=d;C.warn(`Uniform block "${s.name}" uses GLSL instance "${m}". luma.gl binds uniform buffers by block name ("${s.name}") and alias ("${h}"). Prefer matching the instance name to one of those to avoid confusing silent mismatches.`)()}r.push(s)}return r.sort((o,s)=>o.location-s.location),r}function zC(e){if(e[e.length-1]!=="]")return{name:e,length:1,isArray:!1};let i=/([^[]*)(\[[0-9]+\])?/.exec(e);return{name:si(i?.[1],`Failed to parse GLSL uniform name ${e}`),length:i?.[2]?1:0,isArray:!!i?.[2]}}var Fg=R(()=>{re();zs()});var Ng,Ws,Bg=R(()=>{re();Fg();zs();Ng=4,Ws=class extends nn{device;handle;vs;fs;introspectedLayout={attributes:[],bindings:[],uniforms:[]};linkStatus="pending";constructor(t,i){super(t,i),this.device=t,this.handle=i.handle||this.device.gl.createProgram(),this.vs=i.vs,this.fs=i.fs,i.varyings&&i.varyings.length>0&&this.device.gl.transformFeedbackVaryings(this.handle,i.varyings,i.bufferMode||35981),this._linkShaders(),C.time(3,`RenderPipeline ${this.id} - shaderLayout introspection`)(),this.introspectedLayout=kg(this.device.gl,this.handle),C.timeEnd(3,`RenderPipeline ${this.id} - shaderLayout introspection`)()}destroy(){this.destroyed||(this.device.gl.useProgram(null),this.device.gl.deleteProgram(this.handle),this.handle.destroyed=!0,this.destroyResource())}async _linkShaders(){let{gl:t}=this.device;if(t.attachShader(this.handle,this.vs.handle),t.attachShader(this.handle,this.fs.handle),C.time(Ng,`linkProgram for ${this.id}`)(),t.linkProgram(this.handle),C.timeEnd(Ng,`linkProgram for ${this.id}`)(),!this.device.features.has("compilation-status-async-webgl")){let r=this._getLinkStatus();this._reportLinkStatus(r);return}C.once(1,"RenderPipeline linking is asynchronous")(),await this._waitForLinkComplete(),C.info(2,`RenderPipeline ${this.id} - async linking complete: ${this.linkStatus}`)();let i=this._getLinkStatus();this._reportLinkStatus(i)}async _reportLinkStatus(t){switch(t){case"success":return;default:let i=t==="link-error"?"Link error":"Validation error";switch(this.vs.compilationStatus){case"error":throw this.vs.debugShader(),new Error(`${this} ${i} during compilation of ${this.vs}`);case"pending":await this.vs.asyncCompilationStatus,this.vs.debugShader();break;case"success":break}switch(this.fs?.compilationStatus){case"error":throw this.fs.debugShader(),new Error(`${this} ${i} during compilation of ${this.fs}`);case"pending":await this.fs.asyncCompilationStatus,this.fs.debugShader();break;case"success":break}let r=this.device.gl.getProgramInfoLog(this.handle);this.device.reportError(new Error(`${i} during ${t}: ${r}`),this)(),this.device.debug()}}_getLinkStatus(){let{gl:t}=this.device;return t.getProgramParameter(this.handle,35714)?(this._initializeSamplerUniforms(),t.validateProgram(this.handle),t.getProgramParameter(this.handle,35715)?(this.linkStatus="success","success"):(this.linkStatus="error","validation-error")):(this.linkStatus="error","link-error")}_initializeSamplerUniforms(){let{gl:t}=this.device;t.useProgram(this.handle);let i=0,r=t.getProgramParameter(this.handle,35718);for(let n=0;n<r;n++){let o=t.getActiveUniform(this.handle,n);if(o&&Ls(o.type)){let s=o.name.endsWith("[0]"),a=s?o.name.slice(0,-3):o.name,l=t.getUniformLocation(this.handle,a);l!==null&&(i=this._assignSamplerUniform(l,o,s,i))}}}_assignSamplerUniform(t,i,r,n){let{gl:o}=this.device;if(r&&i.size>1){let s=Int32Array.from({length:i.size},(a,l)=>n+l);return o.uniform1iv(t,s),n+i.size}return o.uniform1i(t,n),n+1}async _waitForLinkComplete(){let t=async n=>await new Promise(o=>setTimeout(o,n));if(!this.device.features.has("compilation-status-async-webgl")){await t(10);return}let{gl:r}=this.device;for(;;){if(r.getProgramParameter(this.handle,37297))return;await t(10)}}}});function WC(e,t){let i=t.sourceBuffer,r=t.destinationBuffer;e.gl.bindBuffer(36662,i.handle),e.gl.bindBuffer(36663,r.handle),e.gl.copyBufferSubData(36662,36663,t.sourceOffset??0,t.destinationOffset??0,t.size),e.gl.bindBuffer(36662,null),e.gl.bindBuffer(36663,null)}function HC(e,t){throw new Error("copyBufferToTexture is not supported in WebGL")}function VC(e,t){let{sourceTexture:i,mipLevel:r=0,aspect:n="all",width:o=t.sourceTexture.width,height:s=t.sourceTexture.height,depthOrArrayLayers:a,origin:l=[0,0,0],destinationBuffer:c,byteOffset:u=0,bytesPerRow:f,rowsPerImage:d}=t;if(i instanceof B){i.readBuffer({x:l[0]??0,y:l[1]??0,z:l[2]??0,width:o,height:s,depthOrArrayLayers:a,mipLevel:r,aspect:n,byteOffset:u},c);return}if(n!=="all")throw new Error("aspect not supported in WebGL");if(r!==0||a!==void 0||f||d)throw new Error("not implemented");let{framebuffer:h,destroyFramebuffer:m}=Og(i),g;try{let b=c,x=o||h.width,v=s||h.height,T=si(h.colorAttachments[0]),_=bs(T.texture.props.format),w=_.format,A=_.type;e.gl.bindBuffer(35051,b.handle),g=e.gl.bindFramebuffer(36160,h.handle),e.gl.readPixels(l[0],l[1],x,v,w,A,u)}finally{e.gl.bindBuffer(35051,null),g!==void 0&&e.gl.bindFramebuffer(36160,g),m&&h.destroy()}}function $C(e,t){let{sourceTexture:i,destinationMipLevel:r=0,origin:n=[0,0],destinationOrigin:o=[0,0,0],destinationTexture:s}=t,{width:a=t.destinationTexture.width,height:l=t.destinationTexture.height}=t,{framebuffer:c,destroyFramebuffer:u}=Og(i),[f=0,d=0]=n,[h,m,g]=o,b=e.gl.bindFramebuffer(36160,c.handle),x,v;if(s instanceof Ft)x=s,a=Number.isFinite(a)?a:x.width,l=Number.isFinite(l)?l:x.height,x._bind(0),v=x.glTarget;else throw new Error("invalid destination");switch(v){case 3553:case 34067:e.gl.copyTexSubImage2D(v,r,h,m,f,d,a,l);break;case 35866:case 32879:e.gl.copyTexSubImage3D(v,r,h,m,g,f,d,a,l);break;default:}x&&x._unbind(),e.gl.bindFramebuffer(36160,b),u&&c.destroy()}function Og(e){if(e instanceof B){let{width:t,height:i,id:r}=e;return{framebuffer:e.device.createFramebuffer({id:`framebuffer-for-${r}`,width:t,height:i,colorAttachments:[e]}),destroyFramebuffer:!0}}return{framebuffer:e,destroyFramebuffer:!1}}var Hs,Ug=R(()=>{re();mr();Bs();Hs=class extends fn{device;handle=null;commands=[];constructor(t,i={}){super(t,i),this.device=t}_executeCommands(t=this.commands){for(let i of t)switch(i.name){case"copy-buffer-to-buffer":WC(this.device,i.options);break;case"copy-buffer-to-texture":HC(this.device,i.options);break;case"copy-texture-to-buffer":VC(this.device,i.options);break;case"copy-texture-to-texture":$C(this.device,i.options);break;default:throw new Error(i.name)}}}});var XC,Vs,Lg=R(()=>{re();ks();dr();XC=[1,2,4,8],Vs=class extends cn{device;handle=null;glParameters={};constructor(t,i){super(t,i),this.device=t;let r=this.props.framebuffer,n=!r||r.handle===null;n&&t.getDefaultCanvasContext()._resizeDrawingBufferIfNeeded();let o;if(!i?.parameters?.viewport)if(!n&&r){let{width:s,height:a}=r;o=[0,0,s,a]}else{let[s,a]=t.getDefaultCanvasContext().getDrawingBufferSize();o=[0,0,s,a]}if(this.device.pushState(),this.setParameters({viewport:o,...this.props.parameters}),!n&&r?.colorAttachments.length){let s=r.colorAttachments.map((a,l)=>36064+l);this.device.gl.drawBuffers(s)}else n&&this.device.gl.drawBuffers([1029]);this.clear(),this.props.timestampQuerySet&&this.props.beginTimestampIndex!==void 0&&this.props.timestampQuerySet.writeTimestamp(this.props.beginTimestampIndex)}end(){this.destroyed||(this.props.timestampQuerySet&&this.props.endTimestampIndex!==void 0&&this.props.timestampQuerySet.writeTimestamp(this.props.endTimestampIndex),this.device.popState(),this.destroy())}pushDebugGroup(t){}popDebugGroup(){}insertDebugMarker(t){}setParameters(t={}){let i={...this.glParameters};i.framebuffer=this.props.framebuffer||null,this.props.depthReadOnly&&(i.depthMask=!this.props.depthReadOnly),i.stencilMask=this.props.stencilReadOnly?0:1,i[35977]=this.props.discard,t.viewport&&(t.viewport.length>=6?(i.viewport=t.viewport.slice(0,4),i.depthRange=[t.viewport[4],t.viewport[5]]):i.viewport=t.viewport),t.scissorRect&&(i.scissorTest=!0,i.scissor=t.scissorRect),t.blendConstant&&(i.blendColor=t.blendConstant),t.stencilReference!==void 0&&(i[2967]=t.stencilReference,i[36003]=t.stencilReference),"colorMask"in t&&(i.colorMask=XC.map(r=>!!(r&t.colorMask))),this.glParameters=i,ft(this.device.gl,i)}beginOcclusionQuery(t){this.props.occlusionQuerySet?.beginOcclusionQuery()}endOcclusionQuery(){this.props.occlusionQuerySet?.endOcclusionQuery()}clear(){let t={...this.glParameters},i=0;this.props.clearColors&&this.props.clearColors.forEach((r,n)=>{r&&this.clearColorBuffer(n,r)}),this.props.clearColor!==!1&&this.props.clearColors===void 0&&(i|=16384,t.clearColor=this.props.clearColor),this.props.clearDepth!==!1&&(i|=256,t.clearDepth=this.props.clearDepth),this.props.clearStencil!==!1&&(i|=1024,t.clearStencil=this.props.clearStencil),i!==0&&Dt(this.device.gl,t,()=>{this.device.gl.clear(i)})}clearColorBuffer(t=0,i=[0,0,0,0]){Dt(this.device.gl,{framebuffer:this.props.framebuffer},()=>{switch(i.constructor){case Int8Array:case Int16Array:case Int32Array:this.device.gl.clearBufferiv(6144,t,i);break;case Uint8Array:case Uint8ClampedArray:case Uint16Array:case Uint32Array:this.device.gl.clearBufferuiv(6144,t,i);break;case Float32Array:this.device.gl.clearBufferfv(6144,t,i);break;default:throw new Error("clearColorBuffer: color must be typed array")}})}}});var vn,zg=R(()=>{re();Ug();Lg();vn=class extends un{device;handle=null;commandBuffer;constructor(t,i){super(t,i),this.device=t,this.commandBuffer=new Hs(t,{id:`${this.props.id}-command-buffer`})}destroy(){this.destroyResource()}finish(t){return t?.id&&this.commandBuffer.id!==t.id&&(this.commandBuffer.id=t.id,this.commandBuffer.props.id=t.id),this.destroy(),this.commandBuffer}beginRenderPass(t={}){return new Vs(this.device,this._applyTimeProfilingToPassProps(t))}beginComputePass(t={}){throw new Error("ComputePass not supported in WebGL")}copyBufferToBuffer(t){this.commandBuffer.commands.push({name:"copy-buffer-to-buffer",options:t})}copyBufferToTexture(t){this.commandBuffer.commands.push({name:"copy-buffer-to-texture",options:t})}copyTextureToBuffer(t){this.commandBuffer.commands.push({name:"copy-texture-to-buffer",options:t})}copyTextureToTexture(t){this.commandBuffer.commands.push({name:"copy-texture-to-texture",options:t})}pushDebugGroup(t){}popDebugGroup(){}insertDebugMarker(t){}resolveQuerySet(t,i,r){throw new Error("resolveQuerySet is not supported in WebGL")}writeTimestamp(t,i){t.writeTimestamp(i)}}});function Wg(e){let{target:t,source:i,start:r=0,count:n=1}=e,o=i.length,s=n*o,a=0;for(let l=r;a<o;a++)t[l++]=i[a]??0;for(;a<s;)a<s-a?(t.copyWithin(r+a,r,r+a),a*=2):(t.copyWithin(r+a,r,r+s-a),a=s);return e.target}var Hg=R(()=>{});function YC(e){return Array.isArray(e)?new Float32Array(e):e}function jC(e,t){if(!e||!t||e.length!==t.length||e.constructor!==t.constructor)return!1;for(let i=0;i<e.length;++i)if(e[i]!==t[i])return!1;return!0}var $s,Vg=R(()=>{re();ri();Kc();Hg();$s=class e extends dn{get[Symbol.toStringTag](){return"VertexArray"}device;handle;buffer=null;bufferValue=null;static isConstantAttributeZeroSupported(t){return Zl()==="Chrome"}constructor(t,i){super(t,i),this.device=t,this.handle=this.device.gl.createVertexArray()}destroy(){super.destroy(),this.buffer&&this.buffer?.destroy(),this.handle&&(this.device.gl.deleteVertexArray(this.handle),this.handle=void 0)}setIndexBuffer(t){let i=t;if(i&&i.glTarget!==34963)throw new Error("Use .setBuffer()");this.device.gl.bindVertexArray(this.handle),this.device.gl.bindBuffer(34963,i?i.handle:null),this.indexBuffer=i,this.device.gl.bindVertexArray(null)}setBuffer(t,i){let r=i;if(r.glTarget===34963)throw new Error("Use .setIndexBuffer()");let{size:n,type:o,stride:s,offset:a,normalized:l,integer:c,divisor:u}=this._getAccessor(t);this.device.gl.bindVertexArray(this.handle),this.device.gl.bindBuffer(34962,r.handle),c?this.device.gl.vertexAttribIPointer(t,n,o,s,a):this.device.gl.vertexAttribPointer(t,n,o,l,s,a),this.device.gl.bindBuffer(34962,null),this.device.gl.enableVertexAttribArray(t),this.device.gl.vertexAttribDivisor(t,u||0),this.attributes[t]=r,this.device.gl.bindVertexArray(null)}setConstantWebGL(t,i){this._enable(t,!1),this.attributes[t]=i}bindBeforeRender(){this.device.gl.bindVertexArray(this.handle),this._applyConstantAttributes()}unbindAfterRender(){this.device.gl.bindVertexArray(null)}_applyConstantAttributes(){for(let t=0;t<this.maxVertexAttributes;++t){let i=this.attributes[t];ArrayBuffer.isView(i)&&this.device.setConstantAttributeWebGL(t,i)}}_getAccessor(t){let i=this.attributeInfos[t];if(!i)throw new Error(`Unknown attribute location ${t}`);let r=gs(i.bufferDataType);return{size:i.bufferComponents,type:r,stride:i.byteStride,offset:i.byteOffset,normalized:i.normalized,integer:i.integer,divisor:i.stepMode==="instance"?1:0}}_enable(t,i=!0){let n=e.isConstantAttributeZeroSupported(this.device)||t!==0;(i||n)&&(t=Number(t),this.device.gl.bindVertexArray(this.handle),i?this.device.gl.enableVertexAttribArray(t):this.device.gl.disableVertexAttribArray(t),this.device.gl.bindVertexArray(null))}getConstantBuffer(t,i){let r=YC(i),n=r.byteLength*t,o=r.length*t;if(this.buffer&&n!==this.buffer.byteLength)throw new Error(`Buffer size is immutable, byte length ${n} !== ${this.buffer.byteLength}.`);let s=!this.buffer;if(this.buffer=this.buffer||this.device.createBuffer({byteLength:n}),s||=!jC(r,this.bufferValue),s){let a=Uc(i.constructor,o);Wg({target:a,source:r,start:0,count:o}),this.buffer.write(a),this.bufferValue=i}return this.buffer}}});function $g(e){return typeof e=="number"?Number.isInteger(e):/^\d+$/.test(e)}var Xs,Xg=R(()=>{re();uu();cu();Xs=class extends hn{device;gl;handle;layout;buffers={};unusedBuffers={};bindOnUse=!0;_bound=!1;constructor(t,i){super(t,i),this.device=t,this.gl=t.gl,this.handle=this.props.handle||this.gl.createTransformFeedback(),this.layout=this.props.layout,i.buffers&&this.setBuffers(i.buffers),Object.seal(this)}destroy(){this.gl.deleteTransformFeedback(this.handle),super.destroy()}begin(t="point-list"){this.gl.bindTransformFeedback(36386,this.handle),this.bindOnUse&&this._bindBuffers(),this.gl.beginTransformFeedback(Ag(t))}end(){this.gl.endTransformFeedback(),this.bindOnUse&&this._unbindBuffers(),this.gl.bindTransformFeedback(36386,null)}setBuffers(t){this.buffers={},this.unusedBuffers={},this.bind(()=>{for(let[i,r]of Object.entries(t))this.setBuffer(i,r)})}setBuffer(t,i){let r=this._getVaryingIndex(t),{buffer:n,byteLength:o,byteOffset:s}=this._getBufferRange(i);if(r<0){this.unusedBuffers[t]=n,C.warn(`${this.id} unusedBuffers varying buffer ${t}`)();return}this.buffers[r]={buffer:n,byteLength:o,byteOffset:s},this.bindOnUse||this._bindBuffer(r,n,s,o)}getBuffer(t){if($g(t))return this.buffers[t]||null;let i=this._getVaryingIndex(t);return this.buffers[i]??null}bind(t=this.handle){if(typeof t!="function")return this.gl.bindTransformFeedback(36386,t),this;let i;return this._bound?i=t():(this.gl.bindTransformFeedback(36386,this.handle),this._bound=!0,i=t(),this._bound=!1,this.gl.bindTransformFeedback(36386,null)),i}unbind(){this.bind(null)}_getBufferRange(t){if(t instanceof pt)return{buffer:t,byteOffset:0,byteLength:t.byteLength};let{buffer:i,byteOffset:r=0,byteLength:n=t.buffer.byteLength}=t;return{buffer:i,byteOffset:r,byteLength:n}}_getVaryingIndex(t){if($g(t))return Number(t);for(let i of this.layout.varyings||[])if(t===i.name)return i.location;return-1}_bindBuffers(){for(let[t,i]of Object.entries(this.buffers)){let{buffer:r,byteLength:n,byteOffset:o}=this._getBufferRange(i);this._bindBuffer(Number(t),r,o,n)}}_unbindBuffers(){for(let t in this.buffers)this.gl.bindBufferBase(35982,Number(t),null)}_bindBuffer(t,i,r=0,n){let o=i&&i.handle;!o||n===void 0?this.gl.bindBufferBase(35982,t,o):this.gl.bindBufferRange(35982,t,o,r,n)}}});var Ys,Yg=R(()=>{re();Ys=class extends pn{device;handle;_timestampPairs=[];_pendingReads=new Set;_occlusionQuery=null;_occlusionActive=!1;get[Symbol.toStringTag](){return"QuerySet"}constructor(t,i){if(super(t,i),this.device=t,i.type==="timestamp"){if(i.count<2)throw new Error("Timestamp QuerySet requires at least two query slots");this._timestampPairs=new Array(Math.ceil(i.count/2)).fill(null).map(()=>({activeQuery:null,completedQueries:[]})),this.handle=null}else{if(i.count>1)throw new Error("WebGL occlusion QuerySet can only have one value");let r=this.device.gl.createQuery();if(!r)throw new Error("WebGL query not supported");this.handle=r}Object.seal(this)}destroy(){if(!this.destroyed){this.handle&&this.device.gl.deleteQuery(this.handle);for(let t of this._timestampPairs){t.activeQuery&&(this._cancelPendingQuery(t.activeQuery),this.device.gl.deleteQuery(t.activeQuery.handle));for(let i of t.completedQueries)this._cancelPendingQuery(i),this.device.gl.deleteQuery(i.handle)}this._occlusionQuery&&(this._cancelPendingQuery(this._occlusionQuery),this.device.gl.deleteQuery(this._occlusionQuery.handle));for(let t of Array.from(this._pendingReads))this._cancelPendingQuery(t);this.destroyResource()}}isResultAvailable(t){return this.props.type==="timestamp"?t===void 0?this._timestampPairs.some((i,r)=>this._isTimestampPairAvailable(r)):this._isTimestampPairAvailable(this._getTimestampPairIndex(t)):this._occlusionQuery?this._pollQueryAvailability(this._occlusionQuery):!1}async readResults(t){let i=t?.firstQuery||0,r=t?.queryCount||this.props.count-i;if(this._validateRange(i,r),this.props.type==="timestamp"){let n=new Array(r).fill(0n),o=Math.floor(i/2),s=Math.floor((i+r-1)/2);for(let a=o;a<=s;a++){let l=await this._consumeTimestampPairResult(a),c=a*2,u=c+1;c>=i&&c<i+r&&(n[c-i]=0n),u>=i&&u<i+r&&(n[u-i]=l)}return n}if(!this._occlusionQuery)throw new Error("Occlusion query has not been started");return[await this._consumeQueryResult(this._occlusionQuery)]}async readTimestampDuration(t,i){if(this.props.type!=="timestamp")throw new Error("Timestamp durations require a timestamp QuerySet");if(t<0||i>=this.props.count||i<=t)throw new Error("Timestamp duration range is out of bounds");if(t%2!==0||i!==t+1)throw new Error("WebGL timestamp durations require adjacent even/odd query indices");let r=await this._consumeTimestampPairResult(this._getTimestampPairIndex(t));return Number(r)/1e6}beginOcclusionQuery(){if(this.props.type!=="occlusion")throw new Error("Occlusion queries require an occlusion QuerySet");if(!this.handle)throw new Error("WebGL occlusion query is not available");if(this._occlusionActive)throw new Error("Occlusion query is already active");this.device.gl.beginQuery(35887,this.handle),this._occlusionQuery={handle:this.handle,promise:null,result:null,disjoint:!1,cancelled:!1,pollRequestId:null,resolve:null,reject:null},this._occlusionActive=!0}endOcclusionQuery(){if(!this._occlusionActive)throw new Error("Occlusion query is not active");this.device.gl.endQuery(35887),this._occlusionActive=!1}writeTimestamp(t){if(this.props.type!=="timestamp")throw new Error("Timestamp writes require a timestamp QuerySet");let i=this._getTimestampPairIndex(t),r=this._timestampPairs[i];if(t%2===0){if(r.activeQuery)throw new Error("Timestamp query pair is already active");let n=this.device.gl.createQuery();if(!n)throw new Error("WebGL query not supported");let o={handle:n,promise:null,result:null,disjoint:!1,cancelled:!1,pollRequestId:null,resolve:null,reject:null};this.device.gl.beginQuery(35007,n),r.activeQuery=o;return}if(!r.activeQuery)throw new Error("Timestamp query pair was ended before it was started");this.device.gl.endQuery(35007),r.completedQueries.push(r.activeQuery),r.activeQuery=null}_validateRange(t,i){if(t<0||i<0||t+i>this.props.count)throw new Error("Query read range is out of bounds")}_getTimestampPairIndex(t){if(t<0||t>=this.props.count)throw new Error("Query index is out of bounds");return Math.floor(t/2)}_isTimestampPairAvailable(t){let i=this._timestampPairs[t];return!i||i.completedQueries.length===0?!1:this._pollQueryAvailability(i.completedQueries[0])}_pollQueryAvailability(t){if(t.cancelled||this.destroyed)return t.result=0n,!0;if(t.result!==null||t.disjoint)return!0;if(!this.device.gl.getQueryParameter(t.handle,34919))return!1;let r=!!this.device.gl.getParameter(36795);return t.disjoint=r,t.result=r?0n:BigInt(this.device.gl.getQueryParameter(t.handle,34918)),!0}async _consumeTimestampPairResult(t){let i=this._timestampPairs[t];if(!i||i.completedQueries.length===0)throw new Error("Timestamp query pair has no completed result");let r=i.completedQueries.shift();try{return await this._consumeQueryResult(r)}finally{this.device.gl.deleteQuery(r.handle)}}_consumeQueryResult(t){return t.promise||(this._pendingReads.add(t),t.promise=new Promise((i,r)=>{t.resolve=i,t.reject=r;let n=()=>{if(t.pollRequestId=null,t.cancelled||this.destroyed){this._pendingReads.delete(t),t.promise=null,t.resolve=null,t.reject=null,i(0n);return}if(!this._pollQueryAvailability(t)){t.pollRequestId=this._requestAnimationFrame(n);return}this._pendingReads.delete(t),t.promise=null,t.resolve=null,t.reject=null,t.disjoint?r(new Error("GPU timestamp query was invalidated by a disjoint event")):i(t.result||0n)};n()})),t.promise}_cancelPendingQuery(t){if(this._pendingReads.delete(t),t.cancelled=!0,t.pollRequestId!==null&&(this._cancelAnimationFrame(t.pollRequestId),t.pollRequestId=null),t.resolve){let i=t.resolve;t.promise=null,t.resolve=null,t.reject=null,i(0n)}}_requestAnimationFrame(t){return requestAnimationFrame(t)}_cancelAnimationFrame(t){cancelAnimationFrame(t)}}});var js,jg=R(()=>{re();js=class extends mn{device;gl;handle;signaled;_signaled=!1;constructor(t,i={}){super(t,{}),this.device=t,this.gl=t.gl;let r=this.props.handle||this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE,0);if(!r)throw new Error("Failed to create WebGL fence");this.handle=r,this.signaled=new Promise(n=>{let o=()=>{let s=this.gl.clientWaitSync(this.handle,0,0);s===this.gl.ALREADY_SIGNALED||s===this.gl.CONDITION_SATISFIED?(this._signaled=!0,n()):setTimeout(o,1)};o()})}isSignaled(){if(this._signaled)return!0;let t=this.gl.getSyncParameter(this.handle,this.gl.SYNC_STATUS);return this._signaled=t===this.gl.SIGNALED,this._signaled}destroy(){this.destroyed||this.gl.deleteSync(this.handle)}}});function fu(e){switch(e){case 6406:case 33326:case 6403:case 36244:return 1;case 33339:case 33340:case 33328:case 33320:case 33319:return 2;case 6407:case 36248:case 34837:return 3;case 6408:case 36249:case 34836:return 4;default:return 0}}function Gg(e){switch(e){case 5121:return 1;case 33635:case 32819:case 32820:return 2;case 5126:return 4;default:return 0}}var Kg=R(()=>{});function qg(e,t){let{sourceX:i=0,sourceY:r=0,sourceAttachment:n=0}=t||{},{target:o=null,sourceWidth:s,sourceHeight:a,sourceDepth:l,sourceFormat:c,sourceType:u}=t||{},{framebuffer:f,deleteFramebuffer:d}=Qg(e),{gl:h,handle:m}=f;s||=f.width,a||=f.height;let g=f.colorAttachments[n]?.texture;if(!g)throw new Error(`Invalid framebuffer attachment ${n}`);l=g?.depth||1,c||=g?.glFormat||6408,u||=g?.glType||5121,o=KC(o,u,c,s,a,l);let b=Je.getDataType(o);u=u||Ig(b);let x=h.bindFramebuffer(36160,m);return h.readBuffer(36064+n),h.readPixels(i,r,s,a,c,u,o),h.readBuffer(36064),h.bindFramebuffer(36160,x||null),d&&f.destroy(),o}function Zg(e,t){let{target:i,sourceX:r=0,sourceY:n=0,sourceFormat:o=6408,targetByteOffset:s=0}=t||{},{sourceWidth:a,sourceHeight:l,sourceType:c}=t||{},{framebuffer:u,deleteFramebuffer:f}=Qg(e);a=a||u.width,l=l||u.height;let d=u;c=c||5121;let h=i;if(!h){let g=fu(o),b=Gg(c),x=s+a*l*g*b;h=d.device.createBuffer({byteLength:x})}let m=e.device.createCommandEncoder();return m.copyTextureToBuffer({sourceTexture:e,width:a,height:l,origin:[r,n],destinationBuffer:h,byteOffset:s}),m.destroy(),f&&u.destroy(),h}function Qg(e){return e instanceof Di?{framebuffer:e,deleteFramebuffer:!1}:{framebuffer:GC(e),deleteFramebuffer:!0}}function GC(e,t){let{device:i,width:r,height:n,id:o}=e;return i.createFramebuffer({...t,id:`framebuffer-for-${o}`,width:r,height:n,colorAttachments:[e]})}function KC(e,t,i,r,n,o){if(e)return e;t||=5121;let s=Fs(t),a=Je.getTypedArrayConstructor(s),l=fu(i);return new a(r*n*l)}var Jg=R(()=>{re();zs();Kg();lu()});var hu={};dd(hu,{WebGLDevice:()=>du});function qC(e,t,i){switch(i.length){case 1:e.gl.vertexAttrib1fv(t,i);break;case 2:e.gl.vertexAttrib2fv(t,i);break;case 3:e.gl.vertexAttrib3fv(t,i);break;case 4:e.gl.vertexAttrib4fv(t,i);break;default:}}function ZC(e,t,i){e.gl.vertexAttribI4iv(t,i)}function QC(e,t,i){e.gl.vertexAttribI4uiv(t,i)}function JC(e,t){if(!e||!t||e.length!==t.length||e.constructor!==t.constructor)return!1;for(let i=0;i<e.length;++i)if(e[i]!==t[i])return!1;return!0}var du,pu=R(()=>{re();Gc();eg();hs();rg();fg();dg();hg();pg();Hc();Vc();mr();gg();As();yg();vg();Bs();Ts();Eg();Bg();zg();Vg();Xg();Yg();jg();Jg();dr();ks();yn();du=class e extends ct{static getDeviceFromContext(t){return t?t.luma?.device??null:null}type="webgl";handle;features;limits;info;canvasContext;preferredColorFormat="rgba8unorm";preferredDepthFormat="depth24plus";commandEncoder;lost;_resolveContextLost;gl;_constants;extensions;_polyfilled=!1;spectorJS;get[Symbol.toStringTag](){return"WebGLDevice"}toString(){return`${this[Symbol.toStringTag]}(${this.id})`}isVertexFormatSupported(t){return t!=="unorm8x4-bgra"}constructor(t){super({...t,id:t.id||mg("webgl-device")});let i=ct._getCanvasContextProps(t);if(!i)throw new Error("WebGLDevice requires props.createCanvasContext to be set");let r=i.canvas?.gl??null,n=e.getDeviceFromContext(r);if(n)throw new Error(`WebGL context already attached to device ${n.id}`);this.canvasContext=new Ps(this,i),this.lost=new Promise(u=>{this._resolveContextLost=u});let o={...t.webgl};i.alphaMode==="premultiplied"&&(o.premultipliedAlpha=!0),t.powerPreference!==void 0&&(o.powerPreference=t.powerPreference),t.failIfMajorPerformanceCaveat!==void 0&&(o.failIfMajorPerformanceCaveat=t.failIfMajorPerformanceCaveat);let a=this.props._handle||Jm(this.canvasContext.canvas,{onContextLost:u=>this._resolveContextLost?.({reason:"destroyed",message:"Entered sleep mode, or too many apps or browser tabs are using the GPU."}),onContextRestored:u=>console.log("WebGL context restored")},o);if(!a)throw new Error("WebGL context creation failed");if(n=e.getDeviceFromContext(a),n){if(t._reuseDevices)return C.log(1,`Not creating a new Device, instead returning a reference to Device ${n.id} already attached to WebGL context`,n)(),this.canvasContext.destroy(),n._reused=!0,n;throw new Error(`WebGL context already attached to device ${n.id}`)}this.handle=a,this.gl=a,this.spectorJS=Um({...this.props,gl:this.handle});let l=ki(this.handle);l.device=this,l.extensions||(l.extensions={}),this.extensions=l.extensions,this.info=tg(this.gl,this.extensions),this.limits=new vs(this.gl),this.features=new Ss(this.gl,this.extensions,this.props._disabledFeatures),this.props._initializeFeatures&&this.features.initializeFeatures(),new dt(this.gl,{log:(...u)=>C.log(1,...u)()}).trackState(this.gl,{copyState:!1}),(t.debug||t.debugWebGL)&&(this.gl=Hm(this.gl,{debugWebGL:!0,traceWebGL:t.debugWebGL}),C.warn("WebGL debug mode activated. Performance reduced.")()),t.debugWebGL&&(C.level=Math.max(C.level,1)),this.commandEncoder=new vn(this,{id:`${this}-command-encoder`}),this.canvasContext._startObservers()}destroy(){if(this.commandEncoder?.destroy(),!this.props._reuseDevices&&!this._reused){let t=ki(this.handle);t.device=null}}get isLost(){return this.gl.isContextLost()}createCanvasContext(t){throw new Error("WebGL only supports a single canvas")}createPresentationContext(t){return new Cs(this,t||{})}createBuffer(t){let i=this._normalizeBufferProps(t);return new pt(this,i)}createTexture(t){return new Ft(this,t)}createExternalTexture(t){throw new Error("createExternalTexture() not implemented")}createSampler(t){return new Ds(this,t)}createShader(t){return new Rs(this,t)}createFramebuffer(t){return new Mt(this,t)}createVertexArray(t){return new $s(this,t)}createTransformFeedback(t){return new Xs(this,t)}createQuerySet(t){return new Ys(this,t)}createFence(){return new js(this)}createRenderPipeline(t){return new Os(this,t)}_createSharedRenderPipelineWebGL(t){return new Ws(this,t)}createComputePipeline(t){throw new Error("ComputePipeline not supported in WebGL")}createCommandEncoder(t={}){return new vn(this,t)}submit(t){let i=null;t||({submittedCommandEncoder:i,commandBuffer:t}=this._finalizeDefaultCommandEncoderForSubmit());try{t._executeCommands(),i&&i.resolveTimeProfilingQuerySet().then(()=>{this.commandEncoder._gpuTimeMs=i._gpuTimeMs}).catch(()=>{})}finally{t.destroy()}}_finalizeDefaultCommandEncoderForSubmit(){let t=this.commandEncoder,i=t.finish();return this.commandEncoder.destroy(),this.commandEncoder=this.createCommandEncoder({id:t.props.id,timeProfilingQuerySet:t.getTimeProfilingQuerySet()}),{submittedCommandEncoder:t,commandBuffer:i}}readPixelsToArrayWebGL(t,i){return qg(t,i)}readPixelsToBufferWebGL(t,i){return Zg(t,i)}setParametersWebGL(t){ft(this.gl,t)}getParametersWebGL(t){return ms(this.gl,t)}withParametersWebGL(t,i){return Dt(this.gl,t,i)}resetWebGL(){C.warn("WebGLDevice.resetWebGL is deprecated, use only for debugging")(),Gm(this.gl)}_getDeviceSpecificTextureFormatCapabilities(t){return lg(this.gl,t,this.extensions)}loseDevice(){let t=!1,r=this.getExtension("WEBGL_lose_context").WEBGL_lose_context;return r&&(t=!0,r.loseContext()),this._resolveContextLost?.({reason:"destroyed",message:"Application triggered context loss"}),t}pushState(){dt.get(this.gl).push()}popState(){dt.get(this.gl).pop()}getGLKey(t,i){let r=Number(t);for(let n in this.gl)if(this.gl[n]===r)return`GL.${n}`;return i?.emptyIfUnknown?"":String(t)}getGLKeys(t){let i={emptyIfUnknown:!0};return Object.entries(t).reduce((r,[n,o])=>(r[`${n}:${this.getGLKey(n,i)}`]=`${o}:${this.getGLKey(o,i)}`,r),{})}setConstantAttributeWebGL(t,i){let r=this.limits.maxVertexAttributes;this._constants=this._constants||new Array(r).fill(null);let n=this._constants[t];switch(n&&JC(n,i)&&C.info(1,`setConstantAttributeWebGL(${t}) could have been skipped, value unchanged`)(),this._constants[t]=i,i.constructor){case Float32Array:qC(this,t,i);break;case Int32Array:ZC(this,t,i);break;case Uint32Array:QC(this,t,i);break;default:throw new Error("constant")}}getExtension(t){return ht(this.gl,t,this.extensions),this.extensions}_setWebGLDebugMetadata(t,i,r){t.luma=i;let n={props:r.spector,id:r.spector.id};t.__SPECTOR_Metadata=n}}});function e1(e){return typeof WebGL2RenderingContext<"u"&&e instanceof WebGL2RenderingContext?!0:!!(e&&typeof e.createVertexArray=="function")}var Tn,mu,gu,ex=R(()=>{re();Nm();Hc();Vc();Tn=1,mu=class extends en{type="webgl";constructor(){super(),ct.defaultProps={...ct.defaultProps,...ps}}enforceWebGL2(t){Fm(t)}isSupported(){return typeof WebGL2RenderingContext<"u"}isDeviceHandle(t){return typeof WebGL2RenderingContext<"u"&&t instanceof WebGL2RenderingContext?!0:(typeof WebGLRenderingContext<"u"&&t instanceof WebGLRenderingContext&&C.warn("WebGL1 is not supported",t)(),!1)}async attach(t,i={}){let{WebGLDevice:r}=await Promise.resolve().then(()=>(pu(),hu));if(t instanceof r)return t;let n=r.getDeviceFromContext(t);if(n)return n;if(!e1(t))throw new Error("Invalid WebGL2RenderingContext");let o=i.createCanvasContext===!0?{}:i.createCanvasContext;return new r({...i,_handle:t,createCanvasContext:{canvas:t.canvas,autoResize:!1,...o}})}async create(t={}){let{WebGLDevice:i}=await Promise.resolve().then(()=>(pu(),hu)),r=[];(t.debugWebGL||t.debug)&&r.push(Wm()),t.debugSpectorJS&&r.push(Om(t));let n=await Promise.allSettled(r);for(let o of n)o.status==="rejected"&&C.error(`Failed to initialize debug libraries ${o.reason}`)();try{let o=new i(t);C.groupCollapsed(Tn,`WebGLDevice ${o.id} created`)();let s=`${o._reused?"Reusing":"Created"} device with WebGL2 ${o.props.debug?"debug ":""}context: ${o.info.vendor}, ${o.info.renderer} for canvas: ${o.canvasContext.id}`;return C.probe(Tn,s)(),C.table(Tn,o.info)(),o}finally{C.groupEnd(Tn)(),C.info(Tn,"%cWebGL call tracing: luma.log.set('debug-webgl') ","color: white; background: blue; padding: 2px 6px; border-radius: 3px;")()}}};gu=new mu});var uu=R(()=>{ex();As()});var Xx=vt(($x,Fu)=>{(function(e,t,i){function r(a){var l=this,c=s();l.next=function(){var u=2091639*l.s0+l.c*23283064365386963e-26;return l.s0=l.s1,l.s1=l.s2,l.s2=u-(l.c=u|0)},l.c=1,l.s0=c(" "),l.s1=c(" "),l.s2=c(" "),l.s0-=c(a),l.s0<0&&(l.s0+=1),l.s1-=c(a),l.s1<0&&(l.s1+=1),l.s2-=c(a),l.s2<0&&(l.s2+=1),c=null}function n(a,l){return l.c=a.c,l.s0=a.s0,l.s1=a.s1,l.s2=a.s2,l}function o(a,l){var c=new r(a),u=l&&l.state,f=c.next;return f.int32=function(){return c.next()*4294967296|0},f.double=function(){return f()+(f()*2097152|0)*11102230246251565e-32},f.quick=f,u&&(typeof u=="object"&&n(u,c),f.state=function(){return n(c,{})}),f}function s(){var a=4022871197,l=function(c){c=String(c);for(var u=0;u<c.length;u++){a+=c.charCodeAt(u);var f=.02519603282416938*a;a=f>>>0,f-=a,f*=a,a=f>>>0,f-=a,a+=f*4294967296}return(a>>>0)*23283064365386963e-26};return l}t&&t.exports?t.exports=o:i&&i.amd?i(function(){return o}):this.alea=o})($x,typeof Fu=="object"&&Fu,typeof define=="function"&&define)});var jx=vt((Yx,Nu)=>{(function(e,t,i){function r(s){var a=this,l="";a.x=0,a.y=0,a.z=0,a.w=0,a.next=function(){var u=a.x^a.x<<11;return a.x=a.y,a.y=a.z,a.z=a.w,a.w^=a.w>>>19^u^u>>>8},s===(s|0)?a.x=s:l+=s;for(var c=0;c<l.length+64;c++)a.x^=l.charCodeAt(c)|0,a.next()}function n(s,a){return a.x=s.x,a.y=s.y,a.z=s.z,a.w=s.w,a}function o(s,a){var l=new r(s),c=a&&a.state,u=function(){return(l.next()>>>0)/4294967296};return u.double=function(){do var f=l.next()>>>11,d=(l.next()>>>0)/4294967296,h=(f+d)/(1<<21);while(h===0);return h},u.int32=l.next,u.quick=u,c&&(typeof c=="object"&&n(c,l),u.state=function(){return n(l,{})}),u}t&&t.exports?t.exports=o:i&&i.amd?i(function(){return o}):this.xor128=o})(Yx,typeof Nu=="object"&&Nu,typeof define=="function"&&define)});var Kx=vt((Gx,Bu)=>{(function(e,t,i){function r(s){var a=this,l="";a.next=function(){var u=a.x^a.x>>>2;return a.x=a.y,a.y=a.z,a.z=a.w,a.w=a.v,(a.d=a.d+362437|0)+(a.v=a.v^a.v<<4^(u^u<<1))|0},a.x=0,a.y=0,a.z=0,a.w=0,a.v=0,s===(s|0)?a.x=s:l+=s;for(var c=0;c<l.length+64;c++)a.x^=l.charCodeAt(c)|0,c==l.length&&(a.d=a.x<<10^a.x>>>4),a.next()}function n(s,a){return a.x=s.x,a.y=s.y,a.z=s.z,a.w=s.w,a.v=s.v,a.d=s.d,a}function o(s,a){var l=new r(s),c=a&&a.state,u=function(){return(l.next()>>>0)/4294967296};return u.double=function(){do var f=l.next()>>>11,d=(l.next()>>>0)/4294967296,h=(f+d)/(1<<21);while(h===0);return h},u.int32=l.next,u.quick=u,c&&(typeof c=="object"&&n(c,l),u.state=function(){return n(l,{})}),u}t&&t.exports?t.exports=o:i&&i.amd?i(function(){return o}):this.xorwow=o})(Gx,typeof Bu=="object"&&Bu,typeof define=="function"&&define)});var Zx=vt((qx,Ou)=>{(function(e,t,i){function r(s){var a=this;a.next=function(){var c=a.x,u=a.i,f,d,h;return f=c[u],f^=f>>>7,d=f^f<<24,f=c[u+1&7],d^=f^f>>>10,f=c[u+3&7],d^=f^f>>>3,f=c[u+4&7],d^=f^f<<7,f=c[u+7&7],f=f^f<<13,d^=f^f<<9,c[u]=d,a.i=u+1&7,d};function l(c,u){var f,d,h=[];if(u===(u|0))d=h[0]=u;else for(u=""+u,f=0;f<u.length;++f)h[f&7]=h[f&7]<<15^u.charCodeAt(f)+h[f+1&7]<<13;for(;h.length<8;)h.push(0);for(f=0;f<8&&h[f]===0;++f);for(f==8?d=h[7]=-1:d=h[f],c.x=h,c.i=0,f=256;f>0;--f)c.next()}l(a,s)}function n(s,a){return a.x=s.x.slice(),a.i=s.i,a}function o(s,a){s==null&&(s=+new Date);var l=new r(s),c=a&&a.state,u=function(){return(l.next()>>>0)/4294967296};return u.double=function(){do var f=l.next()>>>11,d=(l.next()>>>0)/4294967296,h=(f+d)/(1<<21);while(h===0);return h},u.int32=l.next,u.quick=u,c&&(c.x&&n(c,l),u.state=function(){return n(l,{})}),u}t&&t.exports?t.exports=o:i&&i.amd?i(function(){return o}):this.xorshift7=o})(qx,typeof Ou=="object"&&Ou,typeof define=="function"&&define)});var Jx=vt((Qx,Uu)=>{(function(e,t,i){function r(s){var a=this;a.next=function(){var c=a.w,u=a.X,f=a.i,d,h;return a.w=c=c+1640531527|0,h=u[f+34&127],d=u[f=f+1&127],h^=h<<13,d^=d<<17,h^=h>>>15,d^=d>>>12,h=u[f]=h^d,a.i=f,h+(c^c>>>16)|0};function l(c,u){var f,d,h,m,g,b=[],x=128;for(u===(u|0)?(d=u,u=null):(u=u+"\0",d=0,x=Math.max(x,u.length)),h=0,m=-32;m<x;++m)u&&(d^=u.charCodeAt((m+32)%u.length)),m===0&&(g=d),d^=d<<10,d^=d>>>15,d^=d<<4,d^=d>>>13,m>=0&&(g=g+1640531527|0,f=b[m&127]^=d+g,h=f==0?h+1:0);for(h>=128&&(b[(u&&u.length||0)&127]=-1),h=127,m=512;m>0;--m)d=b[h+34&127],f=b[h=h+1&127],d^=d<<13,f^=f<<17,d^=d>>>15,f^=f>>>12,b[h]=d^f;c.w=g,c.X=b,c.i=h}l(a,s)}function n(s,a){return a.i=s.i,a.w=s.w,a.X=s.X.slice(),a}function o(s,a){s==null&&(s=+new Date);var l=new r(s),c=a&&a.state,u=function(){return(l.next()>>>0)/4294967296};return u.double=function(){do var f=l.next()>>>11,d=(l.next()>>>0)/4294967296,h=(f+d)/(1<<21);while(h===0);return h},u.int32=l.next,u.quick=u,c&&(c.X&&n(c,l),u.state=function(){return n(l,{})}),u}t&&t.exports?t.exports=o:i&&i.amd?i(function(){return o}):this.xor4096=o})(Qx,typeof Uu=="object"&&Uu,typeof define=="function"&&define)});var t0=vt((e0,Lu)=>{(function(e,t,i){function r(s){var a=this,l="";a.next=function(){var u=a.b,f=a.c,d=a.d,h=a.a;return u=u<<25^u>>>7^f,f=f-d|0,d=d<<24^d>>>8^h,h=h-u|0,a.b=u=u<<20^u>>>12^f,a.c=f=f-d|0,a.d=d<<16^f>>>16^h,a.a=h-u|0},a.a=0,a.b=0,a.c=-1640531527,a.d=1367130551,s===Math.floor(s)?(a.a=s/4294967296|0,a.b=s|0):l+=s;for(var c=0;c<l.length+20;c++)a.b^=l.charCodeAt(c)|0,a.next()}function n(s,a){return a.a=s.a,a.b=s.b,a.c=s.c,a.d=s.d,a}function o(s,a){var l=new r(s),c=a&&a.state,u=function(){return(l.next()>>>0)/4294967296};return u.double=function(){do var f=l.next()>>>11,d=(l.next()>>>0)/4294967296,h=(f+d)/(1<<21);while(h===0);return h},u.int32=l.next,u.quick=u,c&&(typeof c=="object"&&n(c,l),u.state=function(){return n(l,{})}),u}t&&t.exports?t.exports=o:i&&i.amd?i(function(){return o}):this.tychei=o})(e0,typeof Lu=="object"&&Lu,typeof define=="function"&&define)});var i0=vt(()=>{});var n0=vt((r0,oa)=>{(function(e,t,i){var r=256,n=6,o=52,s="random",a=i.pow(r,n),l=i.pow(2,o),c=l*2,u=r-1,f;function d(T,_,w){var A=[];_=_==!0?{entropy:!0}:_||{};var I=b(g(_.entropy?[T,v(t)]:T??x(),3),A),z=new h(A),N=function(){for(var U=z.g(n),H=a,O=0;U<l;)U=(U+O)*r,H*=r,O=z.g(1);for(;U>=c;)U/=2,H/=2,O>>>=1;return(U+O)/H};return N.int32=function(){return z.g(4)|0},N.quick=function(){return z.g(4)/4294967296},N.double=N,b(v(z.S),t),(_.pass||w||function(U,H,O,Q){return Q&&(Q.S&&m(Q,z),U.state=function(){return m(z,{})}),O?(i[s]=U,H):U})(N,I,"global"in _?_.global:this==i,_.state)}function h(T){var _,w=T.length,A=this,I=0,z=A.i=A.j=0,N=A.S=[];for(w||(T=[w++]);I<r;)N[I]=I++;for(I=0;I<r;I++)N[I]=N[z=u&z+T[I%w]+(_=N[I])],N[z]=_;(A.g=function(U){for(var H,O=0,Q=A.i,S=A.j,F=A.S;U--;)H=F[Q=u&Q+1],O=O*r+F[u&(F[Q]=F[S=u&S+H])+(F[S]=H)];return A.i=Q,A.j=S,O})(r)}function m(T,_){return _.i=T.i,_.j=T.j,_.S=T.S.slice(),_}function g(T,_){var w=[],A=typeof T,I;if(_&&A=="object")for(I in T)try{w.push(g(T[I],_-1))}catch{}return w.length?w:A=="string"?T:T+"\0"}function b(T,_){for(var w=T+"",A,I=0;I<w.length;)_[u&I]=u&(A^=_[u&I]*19)+w.charCodeAt(I++);return v(_)}function x(){try{var T;return f&&(T=f.randomBytes)?T=T(r):(T=new Uint8Array(r),(e.crypto||e.msCrypto).getRandomValues(T)),v(T)}catch{var _=e.navigator,w=_&&_.plugins;return[+new Date,e,w,e.screen,v(t)]}}function v(T){return String.fromCharCode.apply(0,T)}if(b(i.random(),t),typeof oa=="object"&&oa.exports){oa.exports=d;try{f=i0()}catch{}}else typeof define=="function"&&define.amd?define(function(){return d}):i["seed"+s]=d})(typeof self<"u"?self:r0,[],Math)});var s0=vt((FB,o0)=>{var $A=Xx(),XA=jx(),YA=Kx(),jA=Zx(),GA=Jx(),KA=t0(),Bi=n0();Bi.alea=$A;Bi.xor128=XA;Bi.xorwow=YA;Bi.xorshift7=jA;Bi.xor4096=GA;Bi.tychei=KA;o0.exports=Bi});var a_=vt(()=>{"use strict"});var uo,ae,_d,Uy,Qt,pd,yd,bd,el,no,kr,Sd,rl,tl,il,Ly,ao={},lo=[],zy=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i,fo=Array.isArray;function Wt(e,t){for(var i in t)e[i]=t[i];return e}function nl(e){e&&e.parentNode&&e.parentNode.removeChild(e)}function Wy(e,t,i){var r,n,o,s={};for(o in t)o=="key"?r=t[o]:o=="ref"?n=t[o]:s[o]=t[o];if(arguments.length>2&&(s.children=arguments.length>3?uo.call(arguments,2):i),typeof e=="function"&&e.defaultProps!=null)for(o in e.defaultProps)s[o]===void 0&&(s[o]=e.defaultProps[o]);return oo(e,s,r,n,null)}function oo(e,t,i,r,n){var o={type:e,props:t,key:i,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:void 0,__v:n??++_d,__i:-1,__u:0};return n==null&&ae.vnode!=null&&ae.vnode(o),o}function Jt(e){return e.children}function so(e,t){this.props=e,this.context=t}function _i(e,t){if(t==null)return e.__?_i(e.__,e.__i+1):null;for(var i;t<e.__k.length;t++)if((i=e.__k[t])!=null&&i.__e!=null)return i.__e;return typeof e.type=="function"?_i(e):null}function Hy(e){if(e.__P&&e.__d){var t=e.__v,i=t.__e,r=[],n=[],o=Wt({},t);o.__v=t.__v+1,ae.vnode&&ae.vnode(o),ol(e.__P,o,t,e.__n,e.__P.namespaceURI,32&t.__u?[i]:null,r,i??_i(t),!!(32&t.__u),n),o.__v=t.__v,o.__.__k[o.__i]=o,Ad(r,o,n),t.__e=t.__=null,o.__e!=i&&vd(o)}}function vd(e){if((e=e.__)!=null&&e.__c!=null)return e.__e=e.__c.base=null,e.__k.some(function(t){if(t!=null&&t.__e!=null)return e.__e=e.__c.base=t.__e}),vd(e)}function md(e){(!e.__d&&(e.__d=!0)&&Qt.push(e)&&!co.__r++||pd!=ae.debounceRendering)&&((pd=ae.debounceRendering)||yd)(co)}function co(){try{for(var e,t=1;Qt.length;)Qt.length>t&&Qt.sort(bd),e=Qt.shift(),t=Qt.length,Hy(e)}finally{Qt.length=co.__r=0}}function Td(e,t,i,r,n,o,s,a,l,c,u){var f,d,h,m,g,b,x=r&&r.__k||lo,v=t.length;for(l=Vy(i,t,x,l,v),f=0;f<v;f++)(h=i.__k[f])!=null&&(d=h.__i!=-1&&x[h.__i]||ao,h.__i=f,b=ol(e,h,d,n,o,s,a,l,c,u),m=h.__e,h.ref&&d.ref!=h.ref&&(d.ref&&sl(d.ref,null,h),u.push(h.ref,h.__c||m,h)),g==null&&m!=null&&(g=m),4&h.__u?(l=Pd(h,l,e),d.__e&&(d.__e=null)):typeof h.type=="function"&&b!==void 0?l=b:m&&(l=m.nextSibling),h.__u&=-7);return i.__e=g,l}function Vy(e,t,i,r,n){var o,s,a,l,c,u=i.length,f=u,d=0;for(e.__k=new Array(n),o=0;o<n;o++)(s=t[o])!=null&&typeof s!="boolean"&&typeof s!="function"?(typeof s=="string"||typeof s=="number"||typeof s=="bigint"||s.constructor==String?s=e.__k[o]=oo(null,s,null,null,null):fo(s)?s=e.__k[o]=oo(Jt,{children:s},null,null,null):s.constructor===void 0&&s.__b>0?s=e.__k[o]=oo(s.type,s.props,s.key,s.ref?s.ref:null,s.__v):e.__k[o]=s,l=o+d,s.__=e,s.__b=e.__b+1,a=null,(c=s.__i=$y(s,i,l,f))!=-1&&(f--,(a=i[c])&&(a.__u|=2)),a==null||a.__v==null?(c==-1&&(n>u?d--:n<u&&d++),typeof s.type!="function"&&(s.__u|=4)):c!=l&&(c==l-1?d--:c==l+1?d++:(c>l?d--:d++,s.__u|=4))):e.__k[o]=null;if(f)for(o=0;o<u;o++)(a=i[o])!=null&&(2&a.__u)==0&&(a.__e==r&&(r=_i(a)),Rd(a,a));return r}function Pd(e,t,i){var r,n;if(typeof e.type=="function"){for(r=e.__k,n=0;r&&n<r.length;n++)r[n]&&(r[n].__=e,t=Pd(r[n],t,i));return t}e.__e!=t&&(t&&e.type&&!t.parentNode&&(t=_i(e)),t=i.insertBefore(e.__e,t||null));do t=t&&t.nextSibling;while(t!=null&&t.nodeType==8);return t}function $y(e,t,i,r){var n,o,s,a=e.key,l=e.type,c=t[i],u=c!=null&&(2&c.__u)==0;if(c===null&&a==null||u&&a==c.key&&l==c.type)return i;if(r>(u?1:0)){for(n=i-1,o=i+1;n>=0||o<t.length;)if((c=t[s=n>=0?n--:o++])!=null&&(2&c.__u)==0&&a==c.key&&l==c.type)return s}return-1}function gd(e,t,i){t[0]=="-"?e.setProperty(t,i??""):e[t]=i==null?"":typeof i!="number"||zy.test(t)?i:i+"px"}function ro(e,t,i,r,n){var o,s;e:if(t=="style")if(typeof i=="string")e.style.cssText=i;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)i&&t in i||gd(e.style,t,"");if(i)for(t in i)r&&i[t]==r[t]||gd(e.style,t,i[t])}else if(t[0]=="o"&&t[1]=="n")o=t!=(t=t.replace(Sd,"$1")),s=t.toLowerCase(),t=s in e||t=="onFocusOut"||t=="onFocusIn"?s.slice(2):t.slice(2),e.l||(e.l={}),e.l[t+o]=i,i?r?i[kr]=r[kr]:(i[kr]=rl,e.addEventListener(t,o?il:tl,o)):e.removeEventListener(t,o?il:tl,o);else{if(n=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{e[t]=i??"";break e}catch{}typeof i=="function"||(i==null||i===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&i==1?"":i))}}function xd(e){return function(t){if(this.l){var i=this.l[t.type+e];if(t[no]==null)t[no]=rl++;else if(t[no]<i[kr])return;return i(ae.event?ae.event(t):t)}}}function ol(e,t,i,r,n,o,s,a,l,c){var u,f,d,h,m,g,b,x,v,T,_,w,A,I,z,N,U=t.type;if(t.constructor!==void 0)return null;128&i.__u&&(l=!!(32&i.__u),o=[a=t.__e=i.__e]),(u=ae.__b)&&u(t);e:if(typeof U=="function"){f=s.length;try{if(v=t.props,T=U.prototype&&U.prototype.render,_=(u=U.contextType)&&r[u.__c],w=u?_?_.props.value:u.__:r,i.__c?x=(d=t.__c=i.__c).__=d.__E:(T?t.__c=d=new U(v,w):(t.__c=d=new so(v,w),d.constructor=U,d.render=Yy),_&&_.sub(d),d.state||(d.state={}),d.__n=r,h=d.__d=!0,d.__h=[],d._sb=[]),T&&d.__s==null&&(d.__s=d.state),T&&U.getDerivedStateFromProps!=null&&(d.__s==d.state&&(d.__s=Wt({},d.__s)),Wt(d.__s,U.getDerivedStateFromProps(v,d.__s))),m=d.props,g=d.state,d.__v=t,h)T&&U.getDerivedStateFromProps==null&&d.componentWillMount!=null&&d.componentWillMount(),T&&d.componentDidMount!=null&&d.__h.push(d.componentDidMount);else{if(T&&U.getDerivedStateFromProps==null&&v!==m&&d.componentWillReceiveProps!=null&&d.componentWillReceiveProps(v,w),t.__v==i.__v||!d.__e&&d.shouldComponentUpdate!=null&&d.shouldComponentUpdate(v,d.__s,w)===!1){t.__v!=i.__v&&(d.props=v,d.state=d.__s,d.__d=!1),t.__e=i.__e,t.__k=i.__k,t.__k.some(function(H){H&&(H.__=t)}),lo.push.apply(d.__h,d._sb),d._sb=[],d.__h.length&&s.push(d),a=_i(i);break e}d.componentWillUpdate!=null&&d.componentWillUpdate(v,d.__s,w),T&&d.componentDidUpdate!=null&&d.__h.push(function(){d.componentDidUpdate(m,g,b)})}if(d.context=w,d.props=v,d.__P=e,d.__e=!1,A=ae.__r,I=0,T)d.state=d.__s,d.__d=!1,A&&A(t),u=d.render(d.props,d.state,d.context),lo.push.apply(d.__h,d._sb),d._sb=[];else do d.__d=!1,A&&A(t),u=d.render(d.props,d.state,d.context),d.state=d.__s;while(d.__d&&++I<25);d.state=d.__s,d.getChildContext!=null&&(r=Wt(Wt({},r),d.getChildContext())),T&&!h&&d.getSnapshotBeforeUpdate!=null&&(b=d.getSnapshotBeforeUpdate(m,g)),z=u!=null&&u.type===Jt&&u.key==null?wd(u.props.children):u,a=Td(e,fo(z)?z:[z],t,i,r,n,o,s,a,l,c),d.base=t.__e,t.__u&=-161,d.__h.length&&s.push(d),x&&(d.__E=d.__=null)}catch(H){if(s.length=f,t.__v=null,l||o!=null){if(H.then){for(t.__u|=l?160:128;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;o!=null&&(o[o.indexOf(a)]=null),t.__e=a}else if(o!=null)for(N=o.length;N--;)nl(o[N])}else t.__e=i.__e;t.__k==null&&(t.__k=i.__k||[]),H.then||Cd(t),ae.__e(H,t,i)}}else o==null&&t.__v==i.__v?(t.__k=i.__k,t.__e=i.__e):a=t.__e=Xy(i.__e,t,i,r,n,o,s,l,c);return(u=ae.diffed)&&u(t),128&t.__u?void 0:a}function Cd(e){e&&(e.__c&&(e.__c.__e=!0),e.__k&&e.__k.some(Cd))}function Ad(e,t,i){for(var r=0;r<i.length;r++)sl(i[r],i[++r],i[++r]);ae.__c&&ae.__c(t,e),e.some(function(n){try{e=n.__h,n.__h=[],e.some(function(o){o.call(n)})}catch(o){ae.__e(o,n.__v)}})}function wd(e){return typeof e!="object"||e==null||e.__b>0?e:fo(e)?e.map(wd):e.constructor!==void 0?null:Wt({},e)}function Xy(e,t,i,r,n,o,s,a,l){var c,u,f,d,h,m,g,b=i.props||ao,x=t.props,v=t.type;if(v=="svg"?n="http://www.w3.org/2000/svg":v=="math"?n="http://www.w3.org/1998/Math/MathML":n||(n="http://www.w3.org/1999/xhtml"),o!=null){for(c=0;c<o.length;c++)if((h=o[c])&&"setAttribute"in h==!!v&&(v?h.localName==v:h.nodeType==3)){e=h,o[c]=null;break}}if(e==null){if(v==null)return document.createTextNode(x);e=document.createElementNS(n,v,x.is&&x),a&&(ae.__m&&ae.__m(t,o),a=!1),o=null}if(v==null)b===x||a&&e.data==x||(e.data=x);else{if(o=v=="textarea"&&x.defaultValue!=null?null:o&&uo.call(e.childNodes),!a&&o!=null)for(b={},c=0;c<e.attributes.length;c++)b[(h=e.attributes[c]).name]=h.value;for(c in b)h=b[c],c=="dangerouslySetInnerHTML"?f=h:c=="children"||c in x||c=="value"&&"defaultValue"in x||c=="checked"&&"defaultChecked"in x||ro(e,c,null,h,n);for(c in x)h=x[c],c=="children"?d=h:c=="dangerouslySetInnerHTML"?u=h:c=="value"?m=h:c=="checked"?g=h:a&&typeof h!="function"||b[c]===h||ro(e,c,h,b[c],n);if(u)a||f&&(u.__html==f.__html||u.__html==e.innerHTML)||(e.innerHTML=u.__html),t.__k=[];else if(f&&(e.innerHTML=""),Td(t.type=="template"?e.content:e,fo(d)?d:[d],t,i,r,v=="foreignObject"?"http://www.w3.org/1999/xhtml":n,o,s,o?o[0]:i.__k&&_i(i,0),a,l),o!=null)for(c=o.length;c--;)nl(o[c]);a&&v!="textarea"||(c="value",v=="progress"&&m==null?e.removeAttribute("value"):m!=null&&(m!==e[c]||v=="progress"&&!m||v=="option"&&m!=b[c])&&ro(e,c,m,b[c],n),c="checked",g!=null&&g!=e[c]&&ro(e,c,g,b[c],n))}return e}function sl(e,t,i){try{if(typeof e=="function"){var r=typeof e.__u=="function";r&&e.__u(),r&&t==null||(e.__u=e(t))}else e.current=t}catch(n){ae.__e(n,i)}}function Rd(e,t,i){var r,n;if(ae.unmount&&ae.unmount(e),(r=e.ref)&&(r.current&&r.current!=e.__e||sl(r,null,t)),(r=e.__c)!=null){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(o){ae.__e(o,t)}r.base=r.__P=r.__n=null}if(r=e.__k)for(n=0;n<r.length;n++)r[n]&&Rd(r[n],t,i||typeof e.type!="function");i||nl(e.__e),e.__c=e.__=e.__e=void 0}function Yy(e,t,i){return this.constructor(e,i)}function Ed(e,t,i){var r,n,o,s;t==document&&(t=document.documentElement),ae.__&&ae.__(e,t),n=(r=typeof i=="function")?null:i&&i.__k||t.__k,o=[],s=[],ol(t,e=(!r&&i||t).__k=Wy(Jt,null,[e]),n||ao,ao,t.namespaceURI,!r&&i?[i]:n?null:t.firstChild?uo.call(t.childNodes):null,o,!r&&i?i:n?n.__e:t.firstChild,r,s),Ad(o,e,s),e.props.children=null}uo=lo.slice,ae={__e:function(e,t,i,r){for(var n,o,s;t=t.__;)if((n=t.__c)&&!n.__)try{if((o=n.constructor)&&o.getDerivedStateFromError!=null&&(n.setState(o.getDerivedStateFromError(e)),s=n.__d),n.componentDidCatch!=null&&(n.componentDidCatch(e,r||{}),s=n.__d),s)return n.__E=n}catch(a){e=a}throw e}},_d=0,Uy=function(e){return e!=null&&e.constructor===void 0},so.prototype.setState=function(e,t){var i;i=this.__s!=null&&this.__s!=this.state?this.__s:this.__s=Wt({},this.state),typeof e=="function"&&(e=e(Wt({},i),this.props)),e&&Wt(i,e),e!=null&&this.__v&&(t&&this._sb.push(t),md(this))},so.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),md(this))},so.prototype.render=Jt,Qt=[],yd=typeof Promise=="function"?Promise.prototype.then.bind(Promise.resolve()):setTimeout,bd=function(e,t){return e.__v.__b-t.__v.__b},co.__r=0,el=Math.random().toString(8),no="__d"+el,kr="__a"+el,Sd=/(PointerCapture)$|Capture$/i,rl=0,tl=xd(!1),il=xd(!0),Ly=0;function Md(e,t,i){let r=Id(e).split(/\s+/).filter(Boolean),n=[];for(let o=t.count-1;o>=0;o--){let s=Id(i.title(o));r.every(a=>s.includes(a))&&n.push(o)}return{matches:n.length,rows:n,seen:n.length}}var Id=e=>e.normalize("NFD").replace(/\p{M}/gu,"").toLowerCase();var qi,pe,al,Dd,po=0,zd=[],be=ae,kd=be.__b,Fd=be.__r,Nd=be.diffed,Bd=be.__c,Od=be.unmount,Ud=be.__;function mo(e,t){be.__h&&be.__h(pe,e,po||t),po=0;var i=pe.__H||(pe.__H={__:[],__h:[]});return e>=i.__.length&&i.__.push({}),i.__[e]}function me(e){return po=1,jy(Wd,e)}function jy(e,t,i){var r=mo(qi++,2);if(r.t=e,!r.__c&&(r.__=[i?i(t):Wd(void 0,t),function(a){var l=r.__N?r.__N[0]:r.__[0],c=r.t(l,a);l!==c&&(r.__N=[c,r.__[1]],r.__c.setState({}))}],r.__c=pe,!pe.__f)){var n=function(a,l,c){if(!r.__c.__H)return!0;var u=!1,f=r.__c.props!==a;if(r.__c.__H.__.some(function(h){if(h.__N){u=!0;var m=h.__[0];h.__=h.__N,h.__N=void 0,m!==h.__[0]&&(f=!0)}}),o){var d=o.call(this,a,l,c);return u?d||f:d}return!u||f};pe.__f=!0;var o=pe.shouldComponentUpdate,s=pe.componentWillUpdate;pe.componentWillUpdate=function(a,l,c){if(this.__e){var u=o;o=void 0,n(a,l,c),o=u}s&&s.call(this,a,l,c)},pe.shouldComponentUpdate=n}return r.__N||r.__}function Xe(e,t){var i=mo(qi++,3);!be.__s&&cl(i.__H,t)&&(i.__=e,i.u=t,pe.__H.__h.push(i))}function Fr(e,t){var i=mo(qi++,4);!be.__s&&cl(i.__H,t)&&(i.__=e,i.u=t,pe.__h.push(i))}function ei(e){return po=5,Oe(function(){return{current:e}},[])}function Oe(e,t){var i=mo(qi++,7);return cl(i.__H,t)&&(i.__=e(),i.__H=t,i.__h=e),i.__}function Gy(){for(var e;e=zd.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ho),t.__h.some(ll),t.__h=[]}catch(i){t.__h=[],be.__e(i,e.__v)}}}be.__b=function(e){pe=null,kd&&kd(e)},be.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Ud&&Ud(e,t)},be.__r=function(e){Fd&&Fd(e),qi=0;var t=(pe=e.__c).__H;t&&(al===pe?(t.__h=[],pe.__h=[],t.__.some(function(i){i.__N&&(i.__=i.__N),i.u=i.__N=void 0})):(t.__h.some(ho),t.__h.some(ll),t.__h=[],qi=0)),al=pe},be.diffed=function(e){Nd&&Nd(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&(zd.push(t)!==1&&Dd===be.requestAnimationFrame||((Dd=be.requestAnimationFrame)||Ky)(Gy)),t.__H.__.some(function(i){i.u&&(i.__H=i.u,i.u=void 0)})),al=pe=null},be.__c=function(e,t){t.some(function(i){try{i.__h.some(ho),i.__h=i.__h.filter(function(r){return!r.__||ll(r)})}catch(r){t.some(function(n){n.__h&&(n.__h=[])}),t=[],be.__e(r,i.__v)}}),Bd&&Bd(e,t)},be.unmount=function(e){Od&&Od(e);var t,i=e.__c;i&&i.__H&&(i.__H.__.some(function(r){try{ho(r)}catch(n){t=n}}),i.__H=void 0,t&&be.__e(t,i.__v))};var Ld=typeof requestAnimationFrame=="function";function Ky(e){var t,i=function(){clearTimeout(r),Ld&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(i,35);Ld&&(t=requestAnimationFrame(i))}function ho(e){var t=pe,i=e.__c;typeof i=="function"&&(e.__c=void 0,i()),pe=t}function ll(e){var t=pe;e.__c=e.__(),pe=t}function cl(e,t){return!e||e.length!==t.length||t.some(function(i,r){return i!==e[r]})}function Wd(e,t){return typeof t=="function"?t(e):t}var yi=(e,t,i=`${t}s`)=>`${e.toLocaleString("en")} ${e===1?t:i}`;function Hd(e,t){let i=r=>{if(r===null)return"";if(typeof r=="number")return String(r);let n=/^[=+\-@\t\r]/.test(r)?`'${r}`:r;return/[",\n\r]/.test(n)?`"${n.replaceAll('"','""')}"`:n};return[e,...t].map(r=>r.map(i).join(",")).join(`\r
`)+`\r
`}function Nr(e,t){let i=document.createElement("a");i.href=URL.createObjectURL(t),i.download=e,i.click(),URL.revokeObjectURL(i.href)}var qy={u1:Uint8Array,u2:Uint16Array,i4:Int32Array,u4:Uint32Array,f4:Float32Array};function Vd(e){let t=new DataView(e).getUint32(0,!0),i=JSON.parse(new TextDecoder().decode(new Uint8Array(e,4,t))),n=i.columns.map(([o,s,a,l])=>[o,new qy[s](e,4+t+a,l)]);return{header:i,columns:new Map(n)}}var go=class{header;count;places;received;cited;year;size;box;years;columns;constructor(t){let{header:i,columns:r}=Vd(t);this.header=i,this.columns=r,this.count=this.header.papers,this.places=r.get("places"),this.received=r.get("received"),this.cited=r.get("cited"),this.year=r.get("year"),this.size=r.get("size");let[n,o]=[1/0,-1/0];for(let u of this.year)u&&(n=Math.min(n,u),o=Math.max(o,u));this.years=[n,o];let[s,a,l,c]=[1,1,0,0];for(let u=0;u<this.places.length;u+=2){let[f,d]=[this.places[u],this.places[u+1]];f<s&&(s=f),f>l&&(l=f),d<a&&(a=d),d>c&&(c=d)}this.box=[s,a,l,c]}codes(t){return this.columns.get(`overlay_${t}`)}members(t){return this.columns.get(`level_${t}`)}level(t){return this.header.levels.find(i=>i.name===t)??this.header.levels[0]}community(t,i=this.header.level){return this.level(i).communities[this.members(i)[t]??-1]}},Zi=e=>e.label??`unnamed, ${e.size.toLocaleString("en")} ${e.size===1?"paper":"papers"}`,xo=class{columns;decoder=new TextDecoder;rows=null;constructor(t){this.columns=Vd(t).columns}get count(){return this.columns.get("id_ends").length-1}get(t,i){let r=this.columns.get(`${t}_ends`);return this.decoder.decode(this.columns.get(t).subarray(r[i],r[i+1]))}title(t){return this.get("title",t)||this.get("id",t)}row(t){return this.rows??=new Map(Array.from({length:this.count},(i,r)=>[this.get("id",r),r])),this.rows.get(t)??-1}};var Qi=255,Zy=.85,Qy=.3,yo=(e,t)=>e.header.overlays.find(i=>i.name===t);function Br(e,t){let i=yo(e,t);return i?i.of==="topics"?`${i.title} of the community`:i.title:e.header.levels.length>1?`community (${t})`:"community"}function Xd(e,t,i){let r=yo(e,t),n=Br(e,t),o=e.header.nothing[i];if(!r){let{communities:h}=e.level(t),m=$d(e.members(t),h.length),g=h.map((x,v)=>({key:v,text:Zi(x),papers:m[v]??0,community:x,color:x.colour===null?o:_o(e.header.palette[x.colour],i)}));return{title:n,hint:"A colour only separates a community from its neighbours; it is used again elsewhere.",entries:g.filter(x=>x.papers>0)}}let s=e.codes(t),a=$d(s,Qi+1),l=(h,m)=>a.slice(h,m+1).reduce((g,b)=>g+b,0),c=Yd(e,r,i),u=r.categories.length?r.categories.map(([h,m],g)=>({key:g,text:h,color:_o(m,i),papers:a[g]??0})):r.classes.map(([h,m,g],b)=>({key:b,text:g,color:c[Math.round((h+m)/2)],papers:l(h,m)}));a[Qi]&&u.push({key:Qi,text:r.nothing,color:o,papers:a[Qi]});let f=i==="light"?"darker":"lighter",d=r.categories.length?"The colour of a paper is that of its community.":`${f}: ${r.more}`;return{title:n,hint:d,entries:u.filter(h=>h.papers>0)}}function $d(e,t){let i=new Array(t).fill(0);for(let r=0;r<e.length;r++)e[r]>=0&&i[e[r]]++;return i}var Yd=(e,t,i)=>e.header.ramps[t.kind==="density"?"density":"values"][i];function jd(e,{color:t,only:i,years:r}){let n=new Uint8Array(e.count).fill(1),o=yo(e,t);if(i.length&&o){let s=e.codes(t),a=new Uint8Array(Qi+1);for(let l of i){let[c,u]=o.categories.length||l===Qi?[l,l]:o.classes[l]??[1,0];a.fill(1,c,u+1)}for(let l=0;l<n.length;l++)n[l]=a[s[l]]}if(r)for(let s=0;s<n.length;s++)(e.year[s]<r[0]||e.year[s]>r[1])&&(n[s]=0);return n}function Gd(e,t,i,r,n){let o=yo(e,t),s=o?e.codes(t):e.members(t),a=ul(e.header.nothing[i]),c=(o?o.categories.length?o.categories.map(([,f])=>_o(f,i)):Yd(e,o,i):e.level(t).communities.map(({colour:f})=>f===null?"":_o(e.header.palette[f],i))).map(f=>f?ul(f):a),u=new Float32Array(4*e.count);for(let f=0;f<e.count;f++){let d=n!==null&&!n[f],[h,m,g]=d?a:c[s[f]]??a;u[4*f]=h,u[4*f+1]=m,u[4*f+2]=g,u[4*f+3]=r[f]?d?Qy:Zy:0}return u}var Jy=.17;function _o(e,t){if(t==="light")return e;let i=ul(e),r=()=>.2126*i[0]**2.2+.7152*i[1]**2.2+.0722*i[2]**2.2;for(;r()<Jy;)i=i.map(n=>n+.08*(1-n));return`#${i.map(n=>Math.round(255*n).toString(16).padStart(2,"0")).join("")}`}function ul(e){let t=parseInt(e.slice(1,7),16);return[(t>>16)/255,(t>>8&255)/255,(t&255)/255]}var fl="http://www.w3.org/1999/xhtml",Kd={svg:"http://www.w3.org/2000/svg",xhtml:fl,xlink:"http://www.w3.org/1999/xlink",xml:"http://www.w3.org/XML/1998/namespace",xmlns:"http://www.w3.org/2000/xmlns/"};function Or(e){var t=e+="",i=t.indexOf(":");return i>=0&&(t=e.slice(0,i))!=="xmlns"&&(e=e.slice(i+1)),Kd.hasOwnProperty(t)?{space:Kd[t],local:e}:e}function eb(e){return function(){var t=this.ownerDocument,i=this.namespaceURI;return i===fl&&t.documentElement.namespaceURI===fl?t.createElement(e):t.createElementNS(i,e)}}function tb(e){return function(){return this.ownerDocument.createElementNS(e.space,e.local)}}function qd(e){var t=Or(e);return(t.local?tb:eb)(t)}function ib(){}function So(e){return e==null?ib:function(){return this.querySelector(e)}}function rb(e){typeof e!="function"&&(e=So(e));for(var t=this._groups,i=t.length,r=new Array(i),n=0;n<i;++n)for(var o=t[n],s=o.length,a=r[n]=new Array(s),l,c,u=0;u<s;++u)(l=o[u])&&(c=e.call(l,l.__data__,u,o))&&("__data__"in l&&(c.__data__=l.__data__),a[u]=c);return new Ye(r,this._parents)}function nb(e){return e==null?[]:Array.isArray(e)?e:Array.from(e)}function ob(){return[]}function hl(e){return e==null?ob:function(){return this.querySelectorAll(e)}}function sb(e){return function(){return nb(e.apply(this,arguments))}}function ab(e){typeof e=="function"?e=sb(e):e=hl(e);for(var t=this._groups,i=t.length,r=[],n=[],o=0;o<i;++o)for(var s=t[o],a=s.length,l,c=0;c<a;++c)(l=s[c])&&(r.push(e.call(l,l.__data__,c,s)),n.push(l));return new Ye(r,n)}function pl(e){return function(){return this.matches(e)}}function Zd(e){return function(t){return t.matches(e)}}var lb=Array.prototype.find;function cb(e){return function(){return lb.call(this.children,e)}}function ub(){return this.firstElementChild}function fb(e){return this.select(e==null?ub:cb(typeof e=="function"?e:Zd(e)))}var db=Array.prototype.filter;function hb(){return Array.from(this.children)}function pb(e){return function(){return db.call(this.children,e)}}function mb(e){return this.selectAll(e==null?hb:pb(typeof e=="function"?e:Zd(e)))}function gb(e){typeof e!="function"&&(e=pl(e));for(var t=this._groups,i=t.length,r=new Array(i),n=0;n<i;++n)for(var o=t[n],s=o.length,a=r[n]=[],l,c=0;c<s;++c)(l=o[c])&&e.call(l,l.__data__,c,o)&&a.push(l);return new Ye(r,this._parents)}function Qd(e){return new Array(e.length)}function xb(){return new Ye(this._enter||this._groups.map(Qd),this._parents)}function bo(e,t){this.ownerDocument=e.ownerDocument,this.namespaceURI=e.namespaceURI,this._next=null,this._parent=e,this.__data__=t}bo.prototype={constructor:bo,appendChild:function(e){return this._parent.insertBefore(e,this._next)},insertBefore:function(e,t){return this._parent.insertBefore(e,t)},querySelector:function(e){return this._parent.querySelector(e)},querySelectorAll:function(e){return this._parent.querySelectorAll(e)}};function _b(e){return function(){return e}}function yb(e,t,i,r,n,o){for(var s=0,a,l=t.length,c=o.length;s<c;++s)(a=t[s])?(a.__data__=o[s],r[s]=a):i[s]=new bo(e,o[s]);for(;s<l;++s)(a=t[s])&&(n[s]=a)}function bb(e,t,i,r,n,o,s){var a,l,c=new Map,u=t.length,f=o.length,d=new Array(u),h;for(a=0;a<u;++a)(l=t[a])&&(d[a]=h=s.call(l,l.__data__,a,t)+"",c.has(h)?n[a]=l:c.set(h,l));for(a=0;a<f;++a)h=s.call(e,o[a],a,o)+"",(l=c.get(h))?(r[a]=l,l.__data__=o[a],c.delete(h)):i[a]=new bo(e,o[a]);for(a=0;a<u;++a)(l=t[a])&&c.get(d[a])===l&&(n[a]=l)}function Sb(e){return e.__data__}function vb(e,t){if(!arguments.length)return Array.from(this,Sb);var i=t?bb:yb,r=this._parents,n=this._groups;typeof e!="function"&&(e=_b(e));for(var o=n.length,s=new Array(o),a=new Array(o),l=new Array(o),c=0;c<o;++c){var u=r[c],f=n[c],d=f.length,h=Tb(e.call(u,u&&u.__data__,c,r)),m=h.length,g=a[c]=new Array(m),b=s[c]=new Array(m),x=l[c]=new Array(d);i(u,f,g,b,x,h,t);for(var v=0,T=0,_,w;v<m;++v)if(_=g[v]){for(v>=T&&(T=v+1);!(w=b[T])&&++T<m;);_._next=w||null}}return s=new Ye(s,r),s._enter=a,s._exit=l,s}function Tb(e){return typeof e=="object"&&"length"in e?e:Array.from(e)}function Pb(){return new Ye(this._exit||this._groups.map(Qd),this._parents)}function Cb(e,t,i){var r=this.enter(),n=this,o=this.exit();return typeof e=="function"?(r=e(r),r&&(r=r.selection())):r=r.append(e+""),t!=null&&(n=t(n),n&&(n=n.selection())),i==null?o.remove():i(o),r&&n?r.merge(n).order():n}function Ab(e){for(var t=e.selection?e.selection():e,i=this._groups,r=t._groups,n=i.length,o=r.length,s=Math.min(n,o),a=new Array(n),l=0;l<s;++l)for(var c=i[l],u=r[l],f=c.length,d=a[l]=new Array(f),h,m=0;m<f;++m)(h=c[m]||u[m])&&(d[m]=h);for(;l<n;++l)a[l]=i[l];return new Ye(a,this._parents)}function wb(){for(var e=this._groups,t=-1,i=e.length;++t<i;)for(var r=e[t],n=r.length-1,o=r[n],s;--n>=0;)(s=r[n])&&(o&&s.compareDocumentPosition(o)^4&&o.parentNode.insertBefore(s,o),o=s);return this}function Rb(e){e||(e=Eb);function t(f,d){return f&&d?e(f.__data__,d.__data__):!f-!d}for(var i=this._groups,r=i.length,n=new Array(r),o=0;o<r;++o){for(var s=i[o],a=s.length,l=n[o]=new Array(a),c,u=0;u<a;++u)(c=s[u])&&(l[u]=c);l.sort(t)}return new Ye(n,this._parents).order()}function Eb(e,t){return e<t?-1:e>t?1:e>=t?0:NaN}function Ib(){var e=arguments[0];return arguments[0]=this,e.apply(null,arguments),this}function Mb(){return Array.from(this)}function Db(){for(var e=this._groups,t=0,i=e.length;t<i;++t)for(var r=e[t],n=0,o=r.length;n<o;++n){var s=r[n];if(s)return s}return null}function kb(){let e=0;for(let t of this)++e;return e}function Fb(){return!this.node()}function Nb(e){for(var t=this._groups,i=0,r=t.length;i<r;++i)for(var n=t[i],o=0,s=n.length,a;o<s;++o)(a=n[o])&&e.call(a,a.__data__,o,n);return this}function Bb(e){return function(){this.removeAttribute(e)}}function Ob(e){return function(){this.removeAttributeNS(e.space,e.local)}}function Ub(e,t){return function(){this.setAttribute(e,t)}}function Lb(e,t){return function(){this.setAttributeNS(e.space,e.local,t)}}function zb(e,t){return function(){var i=t.apply(this,arguments);i==null?this.removeAttribute(e):this.setAttribute(e,i)}}function Wb(e,t){return function(){var i=t.apply(this,arguments);i==null?this.removeAttributeNS(e.space,e.local):this.setAttributeNS(e.space,e.local,i)}}function Hb(e,t){var i=Or(e);if(arguments.length<2){var r=this.node();return i.local?r.getAttributeNS(i.space,i.local):r.getAttribute(i)}return this.each((t==null?i.local?Ob:Bb:typeof t=="function"?i.local?Wb:zb:i.local?Lb:Ub)(i,t))}function Jd(e){return e.ownerDocument&&e.ownerDocument.defaultView||e.document&&e||e.defaultView}function Vb(e){return function(){this.style.removeProperty(e)}}function $b(e,t,i){return function(){this.style.setProperty(e,t,i)}}function Xb(e,t,i){return function(){var r=t.apply(this,arguments);r==null?this.style.removeProperty(e):this.style.setProperty(e,r,i)}}function Yb(e,t,i){return arguments.length>1?this.each((t==null?Vb:typeof t=="function"?Xb:$b)(e,t,i??"")):bi(this.node(),e)}function bi(e,t){return e.style.getPropertyValue(t)||Jd(e).getComputedStyle(e,null).getPropertyValue(t)}function jb(e){return function(){delete this[e]}}function Gb(e,t){return function(){this[e]=t}}function Kb(e,t){return function(){var i=t.apply(this,arguments);i==null?delete this[e]:this[e]=i}}function qb(e,t){return arguments.length>1?this.each((t==null?jb:typeof t=="function"?Kb:Gb)(e,t)):this.node()[e]}function eh(e){return e.trim().split(/^|\s+/)}function ml(e){return e.classList||new th(e)}function th(e){this._node=e,this._names=eh(e.getAttribute("class")||"")}th.prototype={add:function(e){var t=this._names.indexOf(e);t<0&&(this._names.push(e),this._node.setAttribute("class",this._names.join(" ")))},remove:function(e){var t=this._names.indexOf(e);t>=0&&(this._names.splice(t,1),this._node.setAttribute("class",this._names.join(" ")))},contains:function(e){return this._names.indexOf(e)>=0}};function ih(e,t){for(var i=ml(e),r=-1,n=t.length;++r<n;)i.add(t[r])}function rh(e,t){for(var i=ml(e),r=-1,n=t.length;++r<n;)i.remove(t[r])}function Zb(e){return function(){ih(this,e)}}function Qb(e){return function(){rh(this,e)}}function Jb(e,t){return function(){(t.apply(this,arguments)?ih:rh)(this,e)}}function eS(e,t){var i=eh(e+"");if(arguments.length<2){for(var r=ml(this.node()),n=-1,o=i.length;++n<o;)if(!r.contains(i[n]))return!1;return!0}return this.each((typeof t=="function"?Jb:t?Zb:Qb)(i,t))}function tS(){this.textContent=""}function iS(e){return function(){this.textContent=e}}function rS(e){return function(){var t=e.apply(this,arguments);this.textContent=t??""}}function nS(e){return arguments.length?this.each(e==null?tS:(typeof e=="function"?rS:iS)(e)):this.node().textContent}function oS(){this.innerHTML=""}function sS(e){return function(){this.innerHTML=e}}function aS(e){return function(){var t=e.apply(this,arguments);this.innerHTML=t??""}}function lS(e){return arguments.length?this.each(e==null?oS:(typeof e=="function"?aS:sS)(e)):this.node().innerHTML}function cS(){this.nextSibling&&this.parentNode.appendChild(this)}function uS(){return this.each(cS)}function fS(){this.previousSibling&&this.parentNode.insertBefore(this,this.parentNode.firstChild)}function dS(){return this.each(fS)}function hS(e){var t=typeof e=="function"?e:qd(e);return this.select(function(){return this.appendChild(t.apply(this,arguments))})}function pS(){return null}function mS(e,t){var i=typeof e=="function"?e:qd(e),r=t==null?pS:typeof t=="function"?t:So(t);return this.select(function(){return this.insertBefore(i.apply(this,arguments),r.apply(this,arguments)||null)})}function gS(){var e=this.parentNode;e&&e.removeChild(this)}function xS(){return this.each(gS)}function _S(){var e=this.cloneNode(!1),t=this.parentNode;return t?t.insertBefore(e,this.nextSibling):e}function yS(){var e=this.cloneNode(!0),t=this.parentNode;return t?t.insertBefore(e,this.nextSibling):e}function bS(e){return this.select(e?yS:_S)}function SS(e){return arguments.length?this.property("__data__",e):this.node().__data__}function vS(e){return function(t){e.call(this,t,this.__data__)}}function TS(e){return e.trim().split(/^|\s+/).map(function(t){var i="",r=t.indexOf(".");return r>=0&&(i=t.slice(r+1),t=t.slice(0,r)),{type:t,name:i}})}function PS(e){return function(){var t=this.__on;if(t){for(var i=0,r=-1,n=t.length,o;i<n;++i)o=t[i],(!e.type||o.type===e.type)&&o.name===e.name?this.removeEventListener(o.type,o.listener,o.options):t[++r]=o;++r?t.length=r:delete this.__on}}}function CS(e,t,i){return function(){var r=this.__on,n,o=vS(t);if(r){for(var s=0,a=r.length;s<a;++s)if((n=r[s]).type===e.type&&n.name===e.name){this.removeEventListener(n.type,n.listener,n.options),this.addEventListener(n.type,n.listener=o,n.options=i),n.value=t;return}}this.addEventListener(e.type,o,i),n={type:e.type,name:e.name,value:t,listener:o,options:i},r?r.push(n):this.__on=[n]}}function AS(e,t,i){var r=TS(e+""),n,o=r.length,s;if(arguments.length<2){var a=this.node().__on;if(a){for(var l=0,c=a.length,u;l<c;++l)for(n=0,u=a[l];n<o;++n)if((s=r[n]).type===u.type&&s.name===u.name)return u.value}return}for(a=t?CS:PS,n=0;n<o;++n)this.each(a(r[n],t,i));return this}function nh(e,t,i){var r=Jd(e),n=r.CustomEvent;typeof n=="function"?n=new n(t,i):(n=r.document.createEvent("Event"),i?(n.initEvent(t,i.bubbles,i.cancelable),n.detail=i.detail):n.initEvent(t,!1,!1)),e.dispatchEvent(n)}function wS(e,t){return function(){return nh(this,e,t)}}function RS(e,t){return function(){return nh(this,e,t.apply(this,arguments))}}function ES(e,t){return this.each((typeof t=="function"?RS:wS)(e,t))}function*IS(){for(var e=this._groups,t=0,i=e.length;t<i;++t)for(var r=e[t],n=0,o=r.length,s;n<o;++n)(s=r[n])&&(yield s)}var oh=[null];function Ye(e,t){this._groups=e,this._parents=t}function Si(){return new Ye([[document.documentElement]],oh)}function MS(){return this}Ye.prototype=Si.prototype={constructor:Ye,select:rb,selectAll:ab,selectChild:fb,selectChildren:mb,filter:gb,data:vb,enter:xb,exit:Pb,join:Cb,merge:Ab,selection:MS,order:wb,sort:Rb,call:Ib,nodes:Mb,node:Db,size:kb,empty:Fb,each:Nb,attr:Hb,style:Yb,property:qb,classed:eS,text:nS,html:lS,raise:uS,lower:dS,append:hS,insert:mS,remove:xS,clone:bS,datum:SS,on:AS,dispatch:ES,[Symbol.iterator]:IS};function ge(e){return typeof e=="string"?new Ye([[document.querySelector(e)]],[document.documentElement]):new Ye([[e]],oh)}var DS=0;function kS(){return new dl}function dl(){this._="@"+(++DS).toString(36)}dl.prototype=kS.prototype={constructor:dl,get:function(e){for(var t=this._;!(t in e);)if(!(e=e.parentNode))return;return e[t]},set:function(e,t){return e[this._]=t},remove:function(e){return this._ in e&&delete e[this._]},toString:function(){return this._}};function FS(e){let t;for(;t=e.sourceEvent;)e=t;return e}function ot(e,t){if(e=FS(e),t===void 0&&(t=e.currentTarget),t){var i=t.ownerSVGElement||t;if(i.createSVGPoint){var r=i.createSVGPoint();return r.x=e.clientX,r.y=e.clientY,r=r.matrixTransform(t.getScreenCTM().inverse()),[r.x,r.y]}if(t.getBoundingClientRect){var n=t.getBoundingClientRect();return[e.clientX-n.left-t.clientLeft,e.clientY-n.top-t.clientTop]}}return[e.pageX,e.pageY]}var NS={value:()=>{}};function vi(){for(var e=0,t=arguments.length,i={},r;e<t;++e){if(!(r=arguments[e]+"")||r in i||/[\s.]/.test(r))throw new Error("illegal type: "+r);i[r]=[]}return new vo(i)}function vo(e){this._=e}function BS(e,t){return e.trim().split(/^|\s+/).map(function(i){var r="",n=i.indexOf(".");if(n>=0&&(r=i.slice(n+1),i=i.slice(0,n)),i&&!t.hasOwnProperty(i))throw new Error("unknown type: "+i);return{type:i,name:r}})}vo.prototype=vi.prototype={constructor:vo,on:function(e,t){var i=this._,r=BS(e+"",i),n,o=-1,s=r.length;if(arguments.length<2){for(;++o<s;)if((n=(e=r[o]).type)&&(n=OS(i[n],e.name)))return n;return}if(t!=null&&typeof t!="function")throw new Error("invalid callback: "+t);for(;++o<s;)if(n=(e=r[o]).type)i[n]=sh(i[n],e.name,t);else if(t==null)for(n in i)i[n]=sh(i[n],e.name,null);return this},copy:function(){var e={},t=this._;for(var i in t)e[i]=t[i].slice();return new vo(e)},call:function(e,t){if((n=arguments.length-2)>0)for(var i=new Array(n),r=0,n,o;r<n;++r)i[r]=arguments[r+2];if(!this._.hasOwnProperty(e))throw new Error("unknown type: "+e);for(o=this._[e],r=0,n=o.length;r<n;++r)o[r].value.apply(t,i)},apply:function(e,t,i){if(!this._.hasOwnProperty(e))throw new Error("unknown type: "+e);for(var r=this._[e],n=0,o=r.length;n<o;++n)r[n].value.apply(t,i)}};function OS(e,t){for(var i=0,r=e.length,n;i<r;++i)if((n=e[i]).name===t)return n.value}function sh(e,t,i){for(var r=0,n=e.length;r<n;++r)if(e[r].name===t){e[r]=NS,e=e.slice(0,r).concat(e.slice(r+1));break}return i!=null&&e.push({name:t,value:i}),e}var Ji=0,Lr=0,Ur=0,lh=1e3,To,zr,Po=0,Ti=0,Ao=0,Wr=typeof performance=="object"&&performance.now?performance:Date,ch=typeof window=="object"&&window.requestAnimationFrame?window.requestAnimationFrame.bind(window):function(e){setTimeout(e,17)};function wo(){return Ti||(ch(US),Ti=Wr.now()+Ao)}function US(){Ti=0}function Co(){this._call=this._time=this._next=null}Co.prototype=xl.prototype={constructor:Co,restart:function(e,t,i){if(typeof e!="function")throw new TypeError("callback is not a function");i=(i==null?wo():+i)+(t==null?0:+t),!this._next&&zr!==this&&(zr?zr._next=this:To=this,zr=this),this._call=e,this._time=i,gl()},stop:function(){this._call&&(this._call=null,this._time=1/0,gl())}};function xl(e,t,i){var r=new Co;return r.restart(e,t,i),r}function LS(){wo(),++Ji;for(var e=To,t;e;)(t=Ti-e._time)>=0&&e._call.call(void 0,t),e=e._next;--Ji}function ah(){Ti=(Po=Wr.now())+Ao,Ji=Lr=0;try{LS()}finally{Ji=0,WS(),Ti=0}}function zS(){var e=Wr.now(),t=e-Po;t>lh&&(Ao-=t,Po=e)}function WS(){for(var e,t=To,i,r=1/0;t;)t._call?(r>t._time&&(r=t._time),e=t,t=t._next):(i=t._next,t._next=null,t=e?e._next=i:To=i);zr=e,gl(r)}function gl(e){if(!Ji){Lr&&(Lr=clearTimeout(Lr));var t=e-Ti;t>24?(e<1/0&&(Lr=setTimeout(ah,Math.ceil(e-Wr.now()-Ao)+1)),Ur&&(Ur=clearInterval(Ur))):(Ur||(Po=Wr.now(),Ur=setInterval(zS,lh)),Ji=1,ch(ah))}}function _l(e,t,i){var r=new Co;return t=t==null?0:+t,r.restart(n=>{r.stop(),e(n+t)},t,i),r}function rr(e,t,i){e.prototype=t.prototype=i,i.constructor=e}function $r(e,t){var i=Object.create(e.prototype);for(var r in t)i[r]=t[r];return i}function ti(){}var wi=.7,ir=1/wi,er="\\s*([+-]?\\d+)\\s*",Hr="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)\\s*",Tt="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)%\\s*",HS=/^#([0-9a-f]{3,8})$/,VS=new RegExp(`^rgb\\(${er},${er},${er}\\)$`),$S=new RegExp(`^rgb\\(${Tt},${Tt},${Tt}\\)$`),XS=new RegExp(`^rgba\\(${er},${er},${er},${Hr}\\)$`),YS=new RegExp(`^rgba\\(${Tt},${Tt},${Tt},${Hr}\\)$`),jS=new RegExp(`^hsl\\(${Hr},${Tt},${Tt}\\)$`),GS=new RegExp(`^hsla\\(${Hr},${Tt},${Tt},${Hr}\\)$`),uh={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074};rr(ti,at,{copy(e){return Object.assign(new this.constructor,this,e)},displayable(){return this.rgb().displayable()},hex:fh,formatHex:fh,formatHex8:KS,formatHsl:qS,formatRgb:dh,toString:dh});function fh(){return this.rgb().formatHex()}function KS(){return this.rgb().formatHex8()}function qS(){return Sh(this).formatHsl()}function dh(){return this.rgb().formatRgb()}function at(e){var t,i;return e=(e+"").trim().toLowerCase(),(t=HS.exec(e))?(i=t[1].length,t=parseInt(t[1],16),i===6?hh(t):i===3?new we(t>>8&15|t>>4&240,t>>4&15|t&240,(t&15)<<4|t&15,1):i===8?Ro(t>>24&255,t>>16&255,t>>8&255,(t&255)/255):i===4?Ro(t>>12&15|t>>8&240,t>>8&15|t>>4&240,t>>4&15|t&240,((t&15)<<4|t&15)/255):null):(t=VS.exec(e))?new we(t[1],t[2],t[3],1):(t=$S.exec(e))?new we(t[1]*255/100,t[2]*255/100,t[3]*255/100,1):(t=XS.exec(e))?Ro(t[1],t[2],t[3],t[4]):(t=YS.exec(e))?Ro(t[1]*255/100,t[2]*255/100,t[3]*255/100,t[4]):(t=jS.exec(e))?gh(t[1],t[2]/100,t[3]/100,1):(t=GS.exec(e))?gh(t[1],t[2]/100,t[3]/100,t[4]):uh.hasOwnProperty(e)?hh(uh[e]):e==="transparent"?new we(NaN,NaN,NaN,0):null}function hh(e){return new we(e>>16&255,e>>8&255,e&255,1)}function Ro(e,t,i,r){return r<=0&&(e=t=i=NaN),new we(e,t,i,r)}function Pl(e){return e instanceof ti||(e=at(e)),e?(e=e.rgb(),new we(e.r,e.g,e.b,e.opacity)):new we}function Xr(e,t,i,r){return arguments.length===1?Pl(e):new we(e,t,i,r??1)}function we(e,t,i,r){this.r=+e,this.g=+t,this.b=+i,this.opacity=+r}rr(we,Xr,$r(ti,{brighter(e){return e=e==null?ir:Math.pow(ir,e),new we(this.r*e,this.g*e,this.b*e,this.opacity)},darker(e){return e=e==null?wi:Math.pow(wi,e),new we(this.r*e,this.g*e,this.b*e,this.opacity)},rgb(){return this},clamp(){return new we(Ci(this.r),Ci(this.g),Ci(this.b),Io(this.opacity))},displayable(){return-.5<=this.r&&this.r<255.5&&-.5<=this.g&&this.g<255.5&&-.5<=this.b&&this.b<255.5&&0<=this.opacity&&this.opacity<=1},hex:ph,formatHex:ph,formatHex8:ZS,formatRgb:mh,toString:mh}));function ph(){return`#${Pi(this.r)}${Pi(this.g)}${Pi(this.b)}`}function ZS(){return`#${Pi(this.r)}${Pi(this.g)}${Pi(this.b)}${Pi((isNaN(this.opacity)?1:this.opacity)*255)}`}function mh(){let e=Io(this.opacity);return`${e===1?"rgb(":"rgba("}${Ci(this.r)}, ${Ci(this.g)}, ${Ci(this.b)}${e===1?")":`, ${e})`}`}function Io(e){return isNaN(e)?1:Math.max(0,Math.min(1,e))}function Ci(e){return Math.max(0,Math.min(255,Math.round(e)||0))}function Pi(e){return e=Ci(e),(e<16?"0":"")+e.toString(16)}function gh(e,t,i,r){return r<=0?e=t=i=NaN:i<=0||i>=1?e=t=NaN:t<=0&&(e=NaN),new st(e,t,i,r)}function Sh(e){if(e instanceof st)return new st(e.h,e.s,e.l,e.opacity);if(e instanceof ti||(e=at(e)),!e)return new st;if(e instanceof st)return e;e=e.rgb();var t=e.r/255,i=e.g/255,r=e.b/255,n=Math.min(t,i,r),o=Math.max(t,i,r),s=NaN,a=o-n,l=(o+n)/2;return a?(t===o?s=(i-r)/a+(i<r)*6:i===o?s=(r-t)/a+2:s=(t-i)/a+4,a/=l<.5?o+n:2-o-n,s*=60):a=l>0&&l<1?0:s,new st(s,a,l,e.opacity)}function Do(e,t,i,r){return arguments.length===1?Sh(e):new st(e,t,i,r??1)}function st(e,t,i,r){this.h=+e,this.s=+t,this.l=+i,this.opacity=+r}rr(st,Do,$r(ti,{brighter(e){return e=e==null?ir:Math.pow(ir,e),new st(this.h,this.s,this.l*e,this.opacity)},darker(e){return e=e==null?wi:Math.pow(wi,e),new st(this.h,this.s,this.l*e,this.opacity)},rgb(){var e=this.h%360+(this.h<0)*360,t=isNaN(e)||isNaN(this.s)?0:this.s,i=this.l,r=i+(i<.5?i:1-i)*t,n=2*i-r;return new we(yl(e>=240?e-240:e+120,n,r),yl(e,n,r),yl(e<120?e+240:e-120,n,r),this.opacity)},clamp(){return new st(xh(this.h),Eo(this.s),Eo(this.l),Io(this.opacity))},displayable(){return(0<=this.s&&this.s<=1||isNaN(this.s))&&0<=this.l&&this.l<=1&&0<=this.opacity&&this.opacity<=1},formatHsl(){let e=Io(this.opacity);return`${e===1?"hsl(":"hsla("}${xh(this.h)}, ${Eo(this.s)*100}%, ${Eo(this.l)*100}%${e===1?")":`, ${e})`}`}}));function xh(e){return e=(e||0)%360,e<0?e+360:e}function Eo(e){return Math.max(0,Math.min(1,e||0))}function yl(e,t,i){return(e<60?t+(i-t)*e/60:e<180?i:e<240?t+(i-t)*(240-e)/60:t)*255}var vh=Math.PI/180,Th=180/Math.PI,Mo=18,Ph=.96422,Ch=1,Ah=.82521,wh=4/29,tr=6/29,Rh=3*tr*tr,QS=tr*tr*tr;function Eh(e){if(e instanceof Pt)return new Pt(e.l,e.a,e.b,e.opacity);if(e instanceof Ht)return Mh(e);e instanceof we||(e=Pl(e));var t=Tl(e.r),i=Tl(e.g),r=Tl(e.b),n=bl((.2225045*t+.7168786*i+.0606169*r)/Ch),o,s;return t===i&&i===r?o=s=n:(o=bl((.4360747*t+.3850649*i+.1430804*r)/Ph),s=bl((.0139322*t+.0971045*i+.7141733*r)/Ah)),new Pt(116*n-16,500*(o-n),200*(n-s),e.opacity)}function Ih(e,t,i,r){return arguments.length===1?Eh(e):new Pt(e,t,i,r??1)}function Pt(e,t,i,r){this.l=+e,this.a=+t,this.b=+i,this.opacity=+r}rr(Pt,Ih,$r(ti,{brighter(e){return new Pt(this.l+Mo*(e??1),this.a,this.b,this.opacity)},darker(e){return new Pt(this.l-Mo*(e??1),this.a,this.b,this.opacity)},rgb(){var e=(this.l+16)/116,t=isNaN(this.a)?e:e+this.a/500,i=isNaN(this.b)?e:e-this.b/200;return t=Ph*Sl(t),e=Ch*Sl(e),i=Ah*Sl(i),new we(vl(3.1338561*t-1.6168667*e-.4906146*i),vl(-.9787684*t+1.9161415*e+.033454*i),vl(.0719453*t-.2289914*e+1.4052427*i),this.opacity)}}));function bl(e){return e>QS?Math.pow(e,1/3):e/Rh+wh}function Sl(e){return e>tr?e*e*e:Rh*(e-wh)}function vl(e){return 255*(e<=.0031308?12.92*e:1.055*Math.pow(e,1/2.4)-.055)}function Tl(e){return(e/=255)<=.04045?e/12.92:Math.pow((e+.055)/1.055,2.4)}function JS(e){if(e instanceof Ht)return new Ht(e.h,e.c,e.l,e.opacity);if(e instanceof Pt||(e=Eh(e)),e.a===0&&e.b===0)return new Ht(NaN,0<e.l&&e.l<100?0:NaN,e.l,e.opacity);var t=Math.atan2(e.b,e.a)*Th;return new Ht(t<0?t+360:t,Math.sqrt(e.a*e.a+e.b*e.b),e.l,e.opacity)}function ko(e,t,i,r){return arguments.length===1?JS(e):new Ht(e,t,i,r??1)}function Ht(e,t,i,r){this.h=+e,this.c=+t,this.l=+i,this.opacity=+r}function Mh(e){if(isNaN(e.h))return new Pt(e.l,0,0,e.opacity);var t=e.h*vh;return new Pt(e.l,Math.cos(t)*e.c,Math.sin(t)*e.c,e.opacity)}rr(Ht,ko,$r(ti,{brighter(e){return new Ht(this.h,this.c,this.l+Mo*(e??1),this.opacity)},darker(e){return new Ht(this.h,this.c,this.l-Mo*(e??1),this.opacity)},rgb(){return Mh(this).rgb()}}));var Dh=-.14861,Cl=1.78277,Al=-.29227,Fo=-.90649,Vr=1.97294,_h=Vr*Fo,yh=Vr*Cl,bh=Cl*Al-Fo*Dh;function ev(e){if(e instanceof Ai)return new Ai(e.h,e.s,e.l,e.opacity);e instanceof we||(e=Pl(e));var t=e.r/255,i=e.g/255,r=e.b/255,n=(bh*r+_h*t-yh*i)/(bh+_h-yh),o=r-n,s=(Vr*(i-n)-Al*o)/Fo,a=Math.sqrt(s*s+o*o)/(Vr*n*(1-n)),l=a?Math.atan2(s,o)*Th-120:NaN;return new Ai(l<0?l+360:l,a,n,e.opacity)}function No(e,t,i,r){return arguments.length===1?ev(e):new Ai(e,t,i,r??1)}function Ai(e,t,i,r){this.h=+e,this.s=+t,this.l=+i,this.opacity=+r}rr(Ai,No,$r(ti,{brighter(e){return e=e==null?ir:Math.pow(ir,e),new Ai(this.h,this.s,this.l*e,this.opacity)},darker(e){return e=e==null?wi:Math.pow(wi,e),new Ai(this.h,this.s,this.l*e,this.opacity)},rgb(){var e=isNaN(this.h)?0:(this.h+120)*vh,t=+this.l,i=isNaN(this.s)?0:this.s*t*(1-t),r=Math.cos(e),n=Math.sin(e);return new we(255*(t+i*(Dh*r+Cl*n)),255*(t+i*(Al*r+Fo*n)),255*(t+i*(Vr*r)),this.opacity)}}));function Nh(e,t,i,r,n){var o=e*e,s=o*e;return((1-3*e+3*o-s)*t+(4-6*o+3*s)*i+(1+3*e+3*o-3*s)*r+s*n)/6}function tv(e){var t=e.length-1;return function(i){var r=i<=0?i=0:i>=1?(i=1,t-1):Math.floor(i*t),n=e[r],o=e[r+1],s=r>0?e[r-1]:2*n-o,a=r<t-1?e[r+2]:2*o-n;return Nh((i-r/t)*t,s,n,o,a)}}function iv(e){var t=e.length;return function(i){var r=Math.floor(((i%=1)<0?++i:i)*t),n=e[(r+t-1)%t],o=e[r%t],s=e[(r+1)%t],a=e[(r+2)%t];return Nh((i-r/t)*t,n,o,s,a)}}var Oo=e=>()=>e;function Bh(e,t){return function(i){return e+i*t}}function rv(e,t,i){return e=Math.pow(e,i),t=Math.pow(t,i)-e,i=1/i,function(r){return Math.pow(e+r*t,i)}}function Il(e,t){var i=t-e;return i?Bh(e,i>180||i<-180?i-360*Math.round(i/360):i):Oo(isNaN(e)?t:e)}function nv(e){return(e=+e)==1?ze:function(t,i){return i-t?rv(t,i,e):Oo(isNaN(t)?i:t)}}function ze(e,t){var i=t-e;return i?Bh(e,i):Oo(isNaN(e)?t:e)}var Yr=(function e(t){var i=nv(t);function r(n,o){var s=i((n=Xr(n)).r,(o=Xr(o)).r),a=i(n.g,o.g),l=i(n.b,o.b),c=ze(n.opacity,o.opacity);return function(u){return n.r=s(u),n.g=a(u),n.b=l(u),n.opacity=c(u),n+""}}return r.gamma=e,r})(1);function Oh(e){return function(t){var i=t.length,r=new Array(i),n=new Array(i),o=new Array(i),s,a;for(s=0;s<i;++s)a=Xr(t[s]),r[s]=a.r||0,n[s]=a.g||0,o[s]=a.b||0;return r=e(r),n=e(n),o=e(o),a.opacity=1,function(l){return a.r=r(l),a.g=n(l),a.b=o(l),a+""}}}var HR=Oh(tv),VR=Oh(iv);function ov(e,t){t||(t=[]);var i=e?Math.min(t.length,e.length):0,r=t.slice(),n;return function(o){for(n=0;n<i;++n)r[n]=e[n]*(1-o)+t[n]*o;return r}}function sv(e){return ArrayBuffer.isView(e)&&!(e instanceof DataView)}function av(e,t){var i=t?t.length:0,r=e?Math.min(i,e.length):0,n=new Array(r),o=new Array(i),s;for(s=0;s<r;++s)n[s]=Uo(e[s],t[s]);for(;s<i;++s)o[s]=t[s];return function(a){for(s=0;s<r;++s)o[s]=n[s](a);return o}}function lv(e,t){var i=new Date;return e=+e,t=+t,function(r){return i.setTime(e*(1-r)+t*r),i}}function je(e,t){return e=+e,t=+t,function(i){return e*(1-i)+t*i}}function cv(e,t){var i={},r={},n;(e===null||typeof e!="object")&&(e={}),(t===null||typeof t!="object")&&(t={});for(n in t)n in e?i[n]=Uo(e[n],t[n]):r[n]=t[n];return function(o){for(n in i)r[n]=i[n](o);return r}}var Rl=/[-+]?(?:\d+\.?\d*|\.?\d+)(?:[eE][-+]?\d+)?/g,wl=new RegExp(Rl.source,"g");function uv(e){return function(){return e}}function fv(e){return function(t){return e(t)+""}}function Ml(e,t){var i=Rl.lastIndex=wl.lastIndex=0,r,n,o,s=-1,a=[],l=[];for(e=e+"",t=t+"";(r=Rl.exec(e))&&(n=wl.exec(t));)(o=n.index)>i&&(o=t.slice(i,o),a[s]?a[s]+=o:a[++s]=o),(r=r[0])===(n=n[0])?a[s]?a[s]+=n:a[++s]=n:(a[++s]=null,l.push({i:s,x:je(r,n)})),i=wl.lastIndex;return i<t.length&&(o=t.slice(i),a[s]?a[s]+=o:a[++s]=o),a.length<2?l[0]?fv(l[0].x):uv(t):(t=l.length,function(c){for(var u=0,f;u<t;++u)a[(f=l[u]).i]=f.x(c);return a.join("")})}function Uo(e,t){var i=typeof t,r;return t==null||i==="boolean"?Oo(t):(i==="number"?je:i==="string"?(r=at(t))?(t=r,Yr):Ml:t instanceof at?Yr:t instanceof Date?lv:sv(t)?ov:Array.isArray(t)?av:typeof t.valueOf!="function"&&typeof t.toString!="function"||isNaN(t)?cv:je)(e,t)}function Uh(e,t){return e=+e,t=+t,function(i){return Math.round(e*(1-i)+t*i)}}var kh=180/Math.PI,El={translateX:0,translateY:0,rotate:0,skewX:0,scaleX:1,scaleY:1};function Lh(e,t,i,r,n,o){var s,a,l;return(s=Math.sqrt(e*e+t*t))&&(e/=s,t/=s),(l=e*i+t*r)&&(i-=e*l,r-=t*l),(a=Math.sqrt(i*i+r*r))&&(i/=a,r/=a,l/=a),e*r<t*i&&(e=-e,t=-t,l=-l,s=-s),{translateX:n,translateY:o,rotate:Math.atan2(t,e)*kh,skewX:Math.atan(l)*kh,scaleX:s,scaleY:a}}var Bo;function dv(e){let t=new(typeof DOMMatrix=="function"?DOMMatrix:WebKitCSSMatrix)(e+"");return t.isIdentity?El:Lh(t.a,t.b,t.c,t.d,t.e,t.f)}function hv(e){return e==null||(Bo||(Bo=document.createElementNS("http://www.w3.org/2000/svg","g")),Bo.setAttribute("transform",e),!(e=Bo.transform.baseVal.consolidate()))?El:(e=e.matrix,Lh(e.a,e.b,e.c,e.d,e.e,e.f))}function zh(e,t,i,r){function n(c){return c.length?c.pop()+" ":""}function o(c,u,f,d,h,m){if(c!==f||u!==d){var g=h.push("translate(",null,t,null,i);m.push({i:g-4,x:je(c,f)},{i:g-2,x:je(u,d)})}else(f||d)&&h.push("translate("+f+t+d+i)}function s(c,u,f,d){c!==u?(c-u>180?u+=360:u-c>180&&(c+=360),d.push({i:f.push(n(f)+"rotate(",null,r)-2,x:je(c,u)})):u&&f.push(n(f)+"rotate("+u+r)}function a(c,u,f,d){c!==u?d.push({i:f.push(n(f)+"skewX(",null,r)-2,x:je(c,u)}):u&&f.push(n(f)+"skewX("+u+r)}function l(c,u,f,d,h,m){if(c!==f||u!==d){var g=h.push(n(h)+"scale(",null,",",null,")");m.push({i:g-4,x:je(c,f)},{i:g-2,x:je(u,d)})}else(f!==1||d!==1)&&h.push(n(h)+"scale("+f+","+d+")")}return function(c,u){var f=[],d=[];return c=e(c),u=e(u),o(c.translateX,c.translateY,u.translateX,u.translateY,f,d),s(c.rotate,u.rotate,f,d),a(c.skewX,u.skewX,f,d),l(c.scaleX,c.scaleY,u.scaleX,u.scaleY,f,d),c=u=null,function(h){for(var m=-1,g=d.length,b;++m<g;)f[(b=d[m]).i]=b.x(h);return f.join("")}}}var Wh=zh(dv,"px, ","px)","deg)"),Hh=zh(hv,", ",")",")"),pv=1e-12;function Fh(e){return((e=Math.exp(e))+1/e)/2}function mv(e){return((e=Math.exp(e))-1/e)/2}function gv(e){return((e=Math.exp(2*e))-1)/(e+1)}var Vh=(function e(t,i,r){function n(o,s){var a=o[0],l=o[1],c=o[2],u=s[0],f=s[1],d=s[2],h=u-a,m=f-l,g=h*h+m*m,b,x;if(g<pv)x=Math.log(d/c)/t,b=function(I){return[a+I*h,l+I*m,c*Math.exp(t*I*x)]};else{var v=Math.sqrt(g),T=(d*d-c*c+r*g)/(2*c*i*v),_=(d*d-c*c-r*g)/(2*d*i*v),w=Math.log(Math.sqrt(T*T+1)-T),A=Math.log(Math.sqrt(_*_+1)-_);x=(A-w)/t,b=function(I){var z=I*x,N=Fh(w),U=c/(i*v)*(N*gv(t*z+w)-mv(w));return[a+U*h,l+U*m,c*N/Fh(t*z+w)]}}return b.duration=Math.abs(x)*1e3*t/Math.SQRT2,b}return n.rho=function(o){var s=Math.max(.001,+o),a=s*s,l=a*a;return e(s,a,l)},n})(Math.SQRT2,2,4);function $h(e){return function(t,i){var r=e((t=Do(t)).h,(i=Do(i)).h),n=ze(t.s,i.s),o=ze(t.l,i.l),s=ze(t.opacity,i.opacity);return function(a){return t.h=r(a),t.s=n(a),t.l=o(a),t.opacity=s(a),t+""}}}var $R=$h(Il),XR=$h(ze);function Xh(e){return function(t,i){var r=e((t=ko(t)).h,(i=ko(i)).h),n=ze(t.c,i.c),o=ze(t.l,i.l),s=ze(t.opacity,i.opacity);return function(a){return t.h=r(a),t.c=n(a),t.l=o(a),t.opacity=s(a),t+""}}}var YR=Xh(Il),jR=Xh(ze);function Yh(e){return(function t(i){i=+i;function r(n,o){var s=e((n=No(n)).h,(o=No(o)).h),a=ze(n.s,o.s),l=ze(n.l,o.l),c=ze(n.opacity,o.opacity);return function(u){return n.h=s(u),n.s=a(u),n.l=l(Math.pow(u,i)),n.opacity=c(u),n+""}}return r.gamma=t,r})(1)}var GR=Yh(Il),KR=Yh(ze);var Dl=e=>+e;function kl(e){return e*e}function Fl(e){return e*(2-e)}function Nl(e){return((e*=2)<=1?e*e:--e*(2-e)+1)/2}function Gh(e){return e*e*e}function Kh(e){return--e*e*e+1}function Lo(e){return((e*=2)<=1?e*e*e:(e-=2)*e*e+2)/2}var Bl=3,ZR=(function e(t){t=+t;function i(r){return Math.pow(r,t)}return i.exponent=e,i})(Bl),QR=(function e(t){t=+t;function i(r){return 1-Math.pow(1-r,t)}return i.exponent=e,i})(Bl),JR=(function e(t){t=+t;function i(r){return((r*=2)<=1?Math.pow(r,t):2-Math.pow(2-r,t))/2}return i.exponent=e,i})(Bl),qh=Math.PI,Zh=qh/2;function Qh(e){return+e==1?1:1-Math.cos(e*Zh)}function Jh(e){return Math.sin(e*Zh)}function ep(e){return(1-Math.cos(qh*e))/2}function ii(e){return(Math.pow(2,-10*e)-.0009765625)*1.0009775171065494}function tp(e){return ii(1-+e)}function ip(e){return 1-ii(e)}function rp(e){return((e*=2)<=1?ii(1-e):2-ii(e-1))/2}function np(e){return 1-Math.sqrt(1-e*e)}function op(e){return Math.sqrt(1- --e*e)}function sp(e){return((e*=2)<=1?1-Math.sqrt(1-e*e):Math.sqrt(1-(e-=2)*e)+1)/2}var jh=4/11,eE=6/11,tE=8/11,iE=3/4,rE=9/11,nE=10/11,oE=15/16,sE=21/22,aE=63/64,lE=1/jh/jh;var Ol=1.70158,cE=(function e(t){t=+t;function i(r){return(r=+r)*r*(t*(r-1)+r)}return i.overshoot=e,i})(Ol),uE=(function e(t){t=+t;function i(r){return--r*r*((r+1)*t+r)+1}return i.overshoot=e,i})(Ol),fE=(function e(t){t=+t;function i(r){return((r*=2)<1?r*r*((t+1)*r-t):(r-=2)*r*((t+1)*r+t)+2)/2}return i.overshoot=e,i})(Ol),nr=2*Math.PI,Ul=1,Ll=.3,dE=(function e(t,i){var r=Math.asin(1/(t=Math.max(1,t)))*(i/=nr);function n(o){return t*ii(- --o)*Math.sin((r-o)/i)}return n.amplitude=function(o){return e(o,i*nr)},n.period=function(o){return e(t,o)},n})(Ul,Ll),hE=(function e(t,i){var r=Math.asin(1/(t=Math.max(1,t)))*(i/=nr);function n(o){return 1-t*ii(o=+o)*Math.sin((o+r)/i)}return n.amplitude=function(o){return e(o,i*nr)},n.period=function(o){return e(t,o)},n})(Ul,Ll),pE=(function e(t,i){var r=Math.asin(1/(t=Math.max(1,t)))*(i/=nr);function n(o){return((o=o*2-1)<0?t*ii(-o)*Math.sin((r-o)/i):2-t*ii(o)*Math.sin((r+o)/i))/2}return n.amplitude=function(o){return e(o,i*nr)},n.period=function(o){return e(t,o)},n})(Ul,Ll);var xv=vi("start","end","cancel","interrupt"),_v=[],cp=0,ap=1,zl=2,zo=3,lp=4,Wl=5,Wo=6;function Ho(e,t,i,r,n,o){var s=e.__transition;if(!s)e.__transition={};else if(i in s)return;yv(e,i,{name:t,index:r,group:n,on:xv,tween:_v,time:o.time,delay:o.delay,duration:o.duration,ease:o.ease,timer:null,state:cp})}function Hl(e,t){var i=lt(e,t);if(i.state>cp)throw new Error("too late; already scheduled");return i}function Ct(e,t){var i=lt(e,t);if(i.state>zo)throw new Error("too late; already running");return i}function lt(e,t){var i=e.__transition;if(!i||!(i=i[t]))throw new Error("transition not found");return i}function yv(e,t,i){var r=e.__transition,n;r[t]=i,i.timer=xl(o,0,i.time);function o(c){i.state=ap,i.timer.restart(s,i.delay,i.time),i.delay<=c&&s(c-i.delay)}function s(c){var u,f,d,h;if(i.state!==ap)return l();for(u in r)if(h=r[u],h.name===i.name){if(h.state===zo)return _l(s);h.state===lp?(h.state=Wo,h.timer.stop(),h.on.call("interrupt",e,e.__data__,h.index,h.group),delete r[u]):+u<t&&(h.state=Wo,h.timer.stop(),h.on.call("cancel",e,e.__data__,h.index,h.group),delete r[u])}if(_l(function(){i.state===zo&&(i.state=lp,i.timer.restart(a,i.delay,i.time),a(c))}),i.state=zl,i.on.call("start",e,e.__data__,i.index,i.group),i.state===zl){for(i.state=zo,n=new Array(d=i.tween.length),u=0,f=-1;u<d;++u)(h=i.tween[u].value.call(e,e.__data__,i.index,i.group))&&(n[++f]=h);n.length=f+1}}function a(c){for(var u=c<i.duration?i.ease.call(null,c/i.duration):(i.timer.restart(l),i.state=Wl,1),f=-1,d=n.length;++f<d;)n[f].call(e,u);i.state===Wl&&(i.on.call("end",e,e.__data__,i.index,i.group),l())}function l(){i.state=Wo,i.timer.stop(),delete r[t];for(var c in r)return;delete e.__transition}}function jr(e,t){var i=e.__transition,r,n,o=!0,s;if(i){t=t==null?null:t+"";for(s in i){if((r=i[s]).name!==t){o=!1;continue}n=r.state>zl&&r.state<Wl,r.state=Wo,r.timer.stop(),r.on.call(n?"interrupt":"cancel",e,e.__data__,r.index,r.group),delete i[s]}o&&delete e.__transition}}function bv(e){return this.each(function(){jr(this,e)})}function Sv(e,t){var i,r;return function(){var n=Ct(this,e),o=n.tween;if(o!==i){r=i=o;for(var s=0,a=r.length;s<a;++s)if(r[s].name===t){r=r.slice(),r.splice(s,1);break}}n.tween=r}}function vv(e,t,i){var r,n;if(typeof i!="function")throw new Error;return function(){var o=Ct(this,e),s=o.tween;if(s!==r){n=(r=s).slice();for(var a={name:t,value:i},l=0,c=n.length;l<c;++l)if(n[l].name===t){n[l]=a;break}l===c&&n.push(a)}o.tween=n}}function Tv(e,t){var i=this._id;if(e+="",arguments.length<2){for(var r=lt(this.node(),i).tween,n=0,o=r.length,s;n<o;++n)if((s=r[n]).name===e)return s.value;return null}return this.each((t==null?Sv:vv)(i,e,t))}function Vl(e,t,i){var r=e._id;return e.each(function(){var n=Ct(this,r);(n.value||(n.value={}))[t]=i.apply(this,arguments)}),function(n){return lt(n,r).value[t]}}function up(e,t){var i;return(typeof t=="number"?je:t instanceof at?Yr:(i=at(t))?(t=i,Yr):Ml)(e,t)}function Pv(e){return function(){this.removeAttribute(e)}}function Cv(e){return function(){this.removeAttributeNS(e.space,e.local)}}function Av(e,t,i){var r,n=i+"",o;return function(){var s=this.getAttribute(e);return s===n?null:s===r?o:o=t(r=s,i)}}function wv(e,t,i){var r,n=i+"",o;return function(){var s=this.getAttributeNS(e.space,e.local);return s===n?null:s===r?o:o=t(r=s,i)}}function Rv(e,t,i){var r,n,o;return function(){var s,a=i(this),l;return a==null?void this.removeAttribute(e):(s=this.getAttribute(e),l=a+"",s===l?null:s===r&&l===n?o:(n=l,o=t(r=s,a)))}}function Ev(e,t,i){var r,n,o;return function(){var s,a=i(this),l;return a==null?void this.removeAttributeNS(e.space,e.local):(s=this.getAttributeNS(e.space,e.local),l=a+"",s===l?null:s===r&&l===n?o:(n=l,o=t(r=s,a)))}}function Iv(e,t){var i=Or(e),r=i==="transform"?Hh:up;return this.attrTween(e,typeof t=="function"?(i.local?Ev:Rv)(i,r,Vl(this,"attr."+e,t)):t==null?(i.local?Cv:Pv)(i):(i.local?wv:Av)(i,r,t))}function Mv(e,t){return function(i){this.setAttribute(e,t.call(this,i))}}function Dv(e,t){return function(i){this.setAttributeNS(e.space,e.local,t.call(this,i))}}function kv(e,t){var i,r;function n(){var o=t.apply(this,arguments);return o!==r&&(i=(r=o)&&Dv(e,o)),i}return n._value=t,n}function Fv(e,t){var i,r;function n(){var o=t.apply(this,arguments);return o!==r&&(i=(r=o)&&Mv(e,o)),i}return n._value=t,n}function Nv(e,t){var i="attr."+e;if(arguments.length<2)return(i=this.tween(i))&&i._value;if(t==null)return this.tween(i,null);if(typeof t!="function")throw new Error;var r=Or(e);return this.tween(i,(r.local?kv:Fv)(r,t))}function Bv(e,t){return function(){Hl(this,e).delay=+t.apply(this,arguments)}}function Ov(e,t){return t=+t,function(){Hl(this,e).delay=t}}function Uv(e){var t=this._id;return arguments.length?this.each((typeof e=="function"?Bv:Ov)(t,e)):lt(this.node(),t).delay}function Lv(e,t){return function(){Ct(this,e).duration=+t.apply(this,arguments)}}function zv(e,t){return t=+t,function(){Ct(this,e).duration=t}}function Wv(e){var t=this._id;return arguments.length?this.each((typeof e=="function"?Lv:zv)(t,e)):lt(this.node(),t).duration}function Hv(e,t){if(typeof t!="function")throw new Error;return function(){Ct(this,e).ease=t}}function Vv(e){var t=this._id;return arguments.length?this.each(Hv(t,e)):lt(this.node(),t).ease}function $v(e,t){return function(){var i=t.apply(this,arguments);if(typeof i!="function")throw new Error;Ct(this,e).ease=i}}function Xv(e){if(typeof e!="function")throw new Error;return this.each($v(this._id,e))}function Yv(e){typeof e!="function"&&(e=pl(e));for(var t=this._groups,i=t.length,r=new Array(i),n=0;n<i;++n)for(var o=t[n],s=o.length,a=r[n]=[],l,c=0;c<s;++c)(l=o[c])&&e.call(l,l.__data__,c,o)&&a.push(l);return new $t(r,this._parents,this._name,this._id)}function jv(e){if(e._id!==this._id)throw new Error;for(var t=this._groups,i=e._groups,r=t.length,n=i.length,o=Math.min(r,n),s=new Array(r),a=0;a<o;++a)for(var l=t[a],c=i[a],u=l.length,f=s[a]=new Array(u),d,h=0;h<u;++h)(d=l[h]||c[h])&&(f[h]=d);for(;a<r;++a)s[a]=t[a];return new $t(s,this._parents,this._name,this._id)}function Gv(e){return(e+"").trim().split(/^|\s+/).every(function(t){var i=t.indexOf(".");return i>=0&&(t=t.slice(0,i)),!t||t==="start"})}function Kv(e,t,i){var r,n,o=Gv(t)?Hl:Ct;return function(){var s=o(this,e),a=s.on;a!==r&&(n=(r=a).copy()).on(t,i),s.on=n}}function qv(e,t){var i=this._id;return arguments.length<2?lt(this.node(),i).on.on(e):this.each(Kv(i,e,t))}function Zv(e){return function(){var t=this.parentNode;for(var i in this.__transition)if(+i!==e)return;t&&t.removeChild(this)}}function Qv(){return this.on("end.remove",Zv(this._id))}function Jv(e){var t=this._name,i=this._id;typeof e!="function"&&(e=So(e));for(var r=this._groups,n=r.length,o=new Array(n),s=0;s<n;++s)for(var a=r[s],l=a.length,c=o[s]=new Array(l),u,f,d=0;d<l;++d)(u=a[d])&&(f=e.call(u,u.__data__,d,a))&&("__data__"in u&&(f.__data__=u.__data__),c[d]=f,Ho(c[d],t,i,d,c,lt(u,i)));return new $t(o,this._parents,t,i)}function eT(e){var t=this._name,i=this._id;typeof e!="function"&&(e=hl(e));for(var r=this._groups,n=r.length,o=[],s=[],a=0;a<n;++a)for(var l=r[a],c=l.length,u,f=0;f<c;++f)if(u=l[f]){for(var d=e.call(u,u.__data__,f,l),h,m=lt(u,i),g=0,b=d.length;g<b;++g)(h=d[g])&&Ho(h,t,i,g,d,m);o.push(d),s.push(u)}return new $t(o,s,t,i)}var tT=Si.prototype.constructor;function iT(){return new tT(this._groups,this._parents)}function rT(e,t){var i,r,n;return function(){var o=bi(this,e),s=(this.style.removeProperty(e),bi(this,e));return o===s?null:o===i&&s===r?n:n=t(i=o,r=s)}}function fp(e){return function(){this.style.removeProperty(e)}}function nT(e,t,i){var r,n=i+"",o;return function(){var s=bi(this,e);return s===n?null:s===r?o:o=t(r=s,i)}}function oT(e,t,i){var r,n,o;return function(){var s=bi(this,e),a=i(this),l=a+"";return a==null&&(l=a=(this.style.removeProperty(e),bi(this,e))),s===l?null:s===r&&l===n?o:(n=l,o=t(r=s,a))}}function sT(e,t){var i,r,n,o="style."+t,s="end."+o,a;return function(){var l=Ct(this,e),c=l.on,u=l.value[o]==null?a||(a=fp(t)):void 0;(c!==i||n!==u)&&(r=(i=c).copy()).on(s,n=u),l.on=r}}function aT(e,t,i){var r=(e+="")=="transform"?Wh:up;return t==null?this.styleTween(e,rT(e,r)).on("end.style."+e,fp(e)):typeof t=="function"?this.styleTween(e,oT(e,r,Vl(this,"style."+e,t))).each(sT(this._id,e)):this.styleTween(e,nT(e,r,t),i).on("end.style."+e,null)}function lT(e,t,i){return function(r){this.style.setProperty(e,t.call(this,r),i)}}function cT(e,t,i){var r,n;function o(){var s=t.apply(this,arguments);return s!==n&&(r=(n=s)&&lT(e,s,i)),r}return o._value=t,o}function uT(e,t,i){var r="style."+(e+="");if(arguments.length<2)return(r=this.tween(r))&&r._value;if(t==null)return this.tween(r,null);if(typeof t!="function")throw new Error;return this.tween(r,cT(e,t,i??""))}function fT(e){return function(){this.textContent=e}}function dT(e){return function(){var t=e(this);this.textContent=t??""}}function hT(e){return this.tween("text",typeof e=="function"?dT(Vl(this,"text",e)):fT(e==null?"":e+""))}function pT(e){return function(t){this.textContent=e.call(this,t)}}function mT(e){var t,i;function r(){var n=e.apply(this,arguments);return n!==i&&(t=(i=n)&&pT(n)),t}return r._value=e,r}function gT(e){var t="text";if(arguments.length<1)return(t=this.tween(t))&&t._value;if(e==null)return this.tween(t,null);if(typeof e!="function")throw new Error;return this.tween(t,mT(e))}function xT(){for(var e=this._name,t=this._id,i=dp(),r=this._groups,n=r.length,o=0;o<n;++o)for(var s=r[o],a=s.length,l,c=0;c<a;++c)if(l=s[c]){var u=lt(l,t);Ho(l,e,i,c,s,{time:u.time+u.delay+u.duration,delay:0,duration:u.duration,ease:u.ease})}return new $t(r,this._parents,e,i)}function _T(){var e,t,i=this,r=i._id,n=i.size();return new Promise(function(o,s){var a={value:s},l={value:function(){--n===0&&o()}};i.each(function(){var c=Ct(this,r),u=c.on;u!==e&&(t=(e=u).copy(),t._.cancel.push(a),t._.interrupt.push(a),t._.end.push(l)),c.on=t}),n===0&&o()})}var yT=0;function $t(e,t,i,r){this._groups=e,this._parents=t,this._name=i,this._id=r}function bT(e){return Si().transition(e)}function dp(){return++yT}var Vt=Si.prototype;$t.prototype=bT.prototype={constructor:$t,select:Jv,selectAll:eT,selectChild:Vt.selectChild,selectChildren:Vt.selectChildren,filter:Yv,merge:jv,selection:iT,transition:xT,call:Vt.call,nodes:Vt.nodes,node:Vt.node,size:Vt.size,empty:Vt.empty,each:Vt.each,on:qv,attr:Iv,attrTween:Nv,style:aT,styleTween:uT,text:hT,textTween:gT,remove:Qv,tween:Tv,delay:Uv,duration:Wv,ease:Vv,easeVarying:Xv,end:_T,[Symbol.iterator]:Vt[Symbol.iterator]};var ST={time:null,delay:0,duration:250,ease:Lo};function vT(e,t){for(var i;!(i=e.__transition)||!(i=i[t]);)if(!(e=e.parentNode))throw new Error(`transition ${t} not found`);return i}function TT(e){var t,i;e instanceof $t?(t=e._id,e=e._name):(t=dp(),(i=ST).time=wo(),e=e==null?null:e+"");for(var r=this._groups,n=r.length,o=0;o<n;++o)for(var s=r[o],a=s.length,l,c=0;c<a;++c)(l=s[c])&&Ho(l,e,t,c,s,i||vT(l,t));return new $t(r,this._parents,e,t)}Si.prototype.interrupt=bv;Si.prototype.transition=TT;re();uu();function t1(e,t){this.v=e,this.k=t}function tx(e,t){(t==null||t>e.length)&&(t=e.length);for(var i=0,r=Array(t);i<t;i++)r[i]=e[i];return r}function i1(e){if(Array.isArray(e))return e}function r1(e,t){var i=e==null?null:typeof Symbol<"u"&&e[Symbol.iterator]||e["@@iterator"];if(i!=null){var r,n,o,s,a=[],l=!0,c=!1;try{if(o=(i=i.call(e)).next,t===0){if(Object(i)!==i)return;l=!1}else for(;!(l=(r=o.call(i)).done)&&(a.push(r.value),a.length!==t);l=!0);}catch(u){c=!0,n=u}finally{try{if(!l&&i.return!=null&&(s=i.return(),Object(s)!==s))return}finally{if(c)throw n}}return a}}function n1(){throw new TypeError(`Invalid attempt to destructure non-iterable instance.
In order to be iterable, non-array objects must have a [Symbol.iterator]() method.`)}function o1(e,t){return i1(e)||r1(e,t)||s1(e,t)||n1()}function s1(e,t){if(e){if(typeof e=="string")return tx(e,t);var i={}.toString.call(e).slice(8,-1);return i==="Object"&&e.constructor&&(i=e.constructor.name),i==="Map"||i==="Set"?Array.from(e):i==="Arguments"||/^(?:Ui|I)nt(?:8|16|32)(?:Clamped)?Array$/.test(i)?tx(e,t):void 0}}function Gs(e){var t,i;function r(o,s){try{var a=e[o](s),l=a.value,c=l instanceof t1;Promise.resolve(c?l.v:l).then(function(u){if(c){var f=o==="return"&&l.k?o:"next";if(!l.k||u.done)return r(f,u);u=e[f](u).value}n(!!a.done,u)},function(u){r("throw",u)})}catch(u){n(2,u)}}function n(o,s){o===2?t.reject(s):t.resolve({value:s,done:o}),(t=t.next)?r(t.key,t.arg):i=null}this._invoke=function(o,s){return new Promise(function(a,l){var c={key:o,arg:s,resolve:a,reject:l,next:null};i?i=i.next=c:(t=i=c,r(o,s))})},typeof e.return!="function"&&(this.return=void 0)}Gs.prototype[typeof Symbol=="function"&&Symbol.asyncIterator||"@@asyncIterator"]=function(){return this},Gs.prototype.next=function(e){return this._invoke("next",e)},Gs.prototype.throw=function(e){return this._invoke("throw",e)},Gs.prototype.return=function(e){return this._invoke("return",e)};var px=Object.entries,a1=Object.keys,ix=Object.setPrototypeOf,l1=Object.isFrozen,mx=Object.getPrototypeOf,gx=Object.getOwnPropertyDescriptor,Ee=Object.freeze,Te=Object.seal,fi=Object.create,xx=typeof Reflect<"u"&&Reflect,Zs=xx.apply,wu=xx.construct;Ee||(Ee=function(t){return t});Te||(Te=function(t){return t});Zs||(Zs=function(t,i){for(var r=arguments.length,n=new Array(r>2?r-2:0),o=2;o<r;o++)n[o-2]=arguments[o];return t.apply(i,n)});wu||(wu=function(t){for(var i=arguments.length,r=new Array(i>1?i-1:0),n=1;n<i;n++)r[n-1]=arguments[n];return new t(...r)});var jt=fe(Array.prototype.forEach),c1=fe(Array.prototype.lastIndexOf),rx=fe(Array.prototype.pop),Pn=fe(Array.prototype.push),u1=fe(Array.prototype.slice),f1=fe(Array.prototype.splice),gr=Array.isArray,xu=_x(Set),_u=fe(Set.prototype.add),Cn=fe(Set.prototype.has),Ni=fe(String.prototype.toLowerCase),yu=fe(String.prototype.toString),d1=fe(String.prototype.match),Ks=fe(String.prototype.replace),bu=fe(String.prototype.indexOf),h1=fe(String.prototype.trim),p1=fe(Number.prototype.toString),m1=fe(Boolean.prototype.toString),nx=typeof BigInt>"u"?null:fe(BigInt.prototype.toString),ox=typeof Symbol>"u"?null:fe(Symbol.prototype.toString),Fe=fe(Object.prototype.hasOwnProperty),An=fe(Object.prototype.toString),g1=RegExp.prototype.test,Re=function(t,i){return t instanceof RegExp&&(t.lastIndex=0),Zs(g1,t,[i])},Gt=_x(TypeError);function fe(e){return function(t){for(var i=arguments.length,r=new Array(i>1?i-1:0),n=1;n<i;n++)r[n-1]=arguments[n];return Zs(e,t,r)}}function _x(e){return function(){for(var t=arguments.length,i=new Array(t),r=0;r<t;r++)i[r]=arguments[r];return wu(e,i)}}function se(e,t){let i=arguments.length>2&&arguments[2]!==void 0?arguments[2]:Ni;if(ix&&ix(e,null),!gr(t))return e;let r=t.length;for(;r--;){let n=t[r];if(typeof n=="string"){let o=i(n);o!==n&&(l1(t)||(t[r]=o),n=o)}e[n]=!0}return e}function x1(e){for(let t=0;t<e.length;t++)Fe(e,t)||(e[t]=null);return e}function Qs(e){let t=fi(null);for(let r of px(e)){var i=o1(r,2);let n=i[0],o=i[1];Fe(e,n)&&(gr(o)?t[n]=x1(o):o&&typeof o=="object"&&o.constructor===Object?t[n]=Qs(o):t[n]=o)}return t}function wn(e){let t=fi(null),i=a1(e),r=i.length;for(;r--;)t[i[r]]=e[i[r]];return t}function _1(e){switch(typeof e){case"string":return e;case"number":return p1(e);case"boolean":return m1(e);case"bigint":return nx?nx(e):"0";case"symbol":return ox?ox(e):"Symbol()";case"undefined":return An(e);case"function":case"object":{if(e===null)return An(e);let t=e,i=tt(t,"toString");if(typeof i=="function"){let r=i(t);return typeof r=="string"?r:An(r)}return An(e)}default:return An(e)}}function tt(e,t){for(;e!==null;){let r=gx(e,t);if(r){if(r.get)return fe(r.get);if(typeof r.value=="function")return fe(r.value)}e=mx(e)}function i(){return null}return i}function y1(e,t){for(;e!==null;){let i=gx(e,t);if(i)return i.get?fe(i.get):null;e=mx(e)}return null}function b1(e){if(!e)return!1;try{return Re(e,""),!0}catch{return!1}}var sx=Ee(["a","abbr","acronym","address","area","article","aside","audio","b","bdi","bdo","big","blink","blockquote","body","br","button","canvas","caption","center","cite","code","col","colgroup","content","data","datalist","dd","decorator","del","details","dfn","dialog","dir","div","dl","dt","element","em","fieldset","figcaption","figure","font","footer","form","h1","h2","h3","h4","h5","h6","head","header","hgroup","hr","html","i","img","input","ins","kbd","label","legend","li","main","map","mark","marquee","menu","menuitem","meter","nav","nobr","ol","optgroup","option","output","p","picture","pre","progress","q","rp","rt","ruby","s","samp","search","section","select","shadow","slot","small","source","spacer","span","strike","strong","style","sub","summary","sup","table","tbody","td","template","textarea","tfoot","th","thead","time","tr","track","tt","u","ul","var","video","wbr"]),Su=Ee(["svg","a","altglyph","altglyphdef","altglyphitem","animatecolor","animatemotion","animatetransform","circle","clippath","defs","desc","ellipse","filter","font","g","glyph","glyphref","hkern","image","line","lineargradient","marker","mask","metadata","mpath","path","pattern","polygon","polyline","radialgradient","rect","stop","style","switch","symbol","text","textpath","title","tref","tspan","view","vkern"]),vu=Ee(["feBlend","feColorMatrix","feComponentTransfer","feComposite","feConvolveMatrix","feDiffuseLighting","feDisplacementMap","feDistantLight","feDropShadow","feFlood","feFuncA","feFuncB","feFuncG","feFuncR","feGaussianBlur","feImage","feMerge","feMergeNode","feMorphology","feOffset","fePointLight","feSpecularLighting","feSpotLight","feTile","feTurbulence"]),S1=Ee(["animate","color-profile","cursor","discard","font-face","font-face-format","font-face-name","font-face-src","font-face-uri","foreignobject","hatch","hatchpath","mesh","meshgradient","meshpatch","meshrow","missing-glyph","script","set","solidcolor","unknown","use"]),Tu=Ee(["math","menclose","merror","mfenced","mfrac","mglyph","mi","mlabeledtr","mmultiscripts","mn","mo","mover","mpadded","mphantom","mroot","mrow","ms","mspace","msqrt","mstyle","msub","msup","msubsup","mtable","mtd","mtext","mtr","munder","munderover","mprescripts"]),v1=Ee(["maction","maligngroup","malignmark","mlongdiv","mscarries","mscarry","msgroup","mstack","msline","msrow","semantics","annotation","annotation-xml","mprescripts","none"]),ax=Ee(["#text"]),lx=Ee(["accept","action","align","alt","autocapitalize","autocomplete","autopictureinpicture","autoplay","background","bgcolor","border","capture","cellpadding","cellspacing","checked","cite","class","clear","color","cols","colspan","command","commandfor","controls","controlslist","coords","crossorigin","datetime","decoding","default","dir","disabled","disablepictureinpicture","disableremoteplayback","download","draggable","enctype","enterkeyhint","exportparts","face","for","headers","height","hidden","high","href","hreflang","id","inert","inputmode","integrity","ismap","kind","label","lang","list","loading","loop","low","max","maxlength","media","method","min","minlength","multiple","muted","name","nonce","noshade","novalidate","nowrap","open","optimum","part","pattern","placeholder","playsinline","popover","popovertarget","popovertargetaction","poster","preload","pubdate","radiogroup","readonly","rel","required","rev","reversed","role","rows","rowspan","spellcheck","scope","selected","shape","size","sizes","slot","span","srclang","start","src","srcset","step","style","summary","tabindex","title","translate","type","usemap","valign","value","width","wrap","xmlns"]),Pu=Ee(["accent-height","accumulate","additive","alignment-baseline","amplitude","ascent","attributename","attributetype","azimuth","basefrequency","baseline-shift","begin","bias","by","class","clip","clippathunits","clip-path","clip-rule","color","color-interpolation","color-interpolation-filters","color-profile","color-rendering","cx","cy","d","dx","dy","diffuseconstant","direction","display","divisor","dominant-baseline","dur","edgemode","elevation","end","exponent","fill","fill-opacity","fill-rule","filter","filterunits","flood-color","flood-opacity","font-family","font-size","font-size-adjust","font-stretch","font-style","font-variant","font-weight","fx","fy","g1","g2","glyph-name","glyphref","gradientunits","gradienttransform","height","href","id","image-rendering","in","in2","intercept","k","k1","k2","k3","k4","kerning","keypoints","keysplines","keytimes","lang","lengthadjust","letter-spacing","kernelmatrix","kernelunitlength","lighting-color","local","marker-end","marker-mid","marker-start","markerheight","markerunits","markerwidth","maskcontentunits","maskunits","max","mask","mask-type","media","method","mode","min","name","numoctaves","offset","operator","opacity","order","orient","orientation","origin","overflow","paint-order","path","pathlength","patterncontentunits","patterntransform","patternunits","pointer-events","points","preservealpha","preserveaspectratio","primitiveunits","r","rx","ry","radius","refx","refy","repeatcount","repeatdur","restart","result","rotate","scale","seed","shape-rendering","slope","specularconstant","specularexponent","spreadmethod","startoffset","stddeviation","stitchtiles","stop-color","stop-opacity","stroke-dasharray","stroke-dashoffset","stroke-linecap","stroke-linejoin","stroke-miterlimit","stroke-opacity","stroke","stroke-width","style","surfacescale","systemlanguage","tabindex","tablevalues","targetx","targety","transform","transform-origin","text-anchor","text-decoration","text-orientation","text-rendering","textlength","type","u1","u2","unicode","values","vector-effect","viewbox","visibility","version","vert-adv-y","vert-origin-x","vert-origin-y","width","word-spacing","wrap","writing-mode","xchannelselector","ychannelselector","x","x1","x2","xmlns","y","y1","y2","z","zoomandpan"]),cx=Ee(["accent","accentunder","align","bevelled","close","columnalign","columnlines","columnspacing","columnspan","denomalign","depth","dir","display","displaystyle","encoding","fence","frame","height","href","id","largeop","length","linethickness","lquote","lspace","mathbackground","mathcolor","mathsize","mathvariant","maxsize","minsize","movablelimits","notation","numalign","open","rowalign","rowlines","rowspacing","rowspan","rspace","rquote","scriptlevel","scriptminsize","scriptsizemultiplier","selection","separator","separators","stretchy","subscriptshift","supscriptshift","symmetric","voffset","width","xmlns"]),qs=Ee(["xlink:href","xml:id","xlink:title","xml:space","xmlns:xlink"]),T1=Te(/{{[\w\W]*|^[\w\W]*}}/g),P1=Te(/<%[\w\W]*|^[\w\W]*%>/g),C1=Te(/\${[\w\W]*/g),A1=Te(/{{|}}|\${|<%|%>|&lt;%|%&gt;/),w1=Te(/^data-[\-\w.\u00B7-\uFFFF]+$/),R1=Te(/^aria-[\-\w]+$/),ux=Te(/^(?:(?:(?:f|ht)tps?|mailto|tel|callto|sms|cid|xmpp|matrix):|[^a-z]|[a-z+.\-]+(?:[^a-z+.\-:]|$))/i),E1=Te(/^(?:\w+script|data):/i),I1=Te(/[\u0000-\u0020\u00A0\u1680\u180E\u2000-\u2029\u205F\u3000]/g),M1=Te(/^html$/i),D1=Te(/^[a-z][.\w]*(-[.\w]+)+$/i),Cu=Te(/<[/\w!]/g),fx=Te(/<[/\w]/g),k1=Te(/<\/no(script|embed|frames)/i),dx=Te(/\/>/i),F1=Te(/((--!?|])>)|<\/(style|script|title|xmp|textarea|noscript|iframe|noembed|noframes)/i),N1=Te(/^[\r\n\t ]+/),Se={element:1,text:3,processingInstruction:7,comment:8,document:9,documentFragment:11},B1=Ee(se({},["style","script","xmp","iframe","noembed","noframes","plaintext","noscript"])),O1=function(){return typeof window>"u"?null:window},U1=function(t,i){if(typeof t!="object"||typeof t.createPolicy!="function")return null;let r=null,n="data-tt-policy-suffix";i&&i.hasAttribute(n)&&(r=i.getAttribute(n));let o="dompurify"+(r?"#"+r:"");try{return t.createPolicy(o,{createHTML(s){return s},createScriptURL(s){return s}})}catch{return console.warn("TrustedTypes policy "+o+" could not be created."),null}},hx=function(){return{afterSanitizeAttributes:[],afterSanitizeElements:[],afterSanitizeShadowDOM:[],beforeSanitizeAttributes:[],beforeSanitizeElements:[],beforeSanitizeShadowDOM:[],uponSanitizeAttribute:[],uponSanitizeElement:[],uponSanitizeShadowNode:[]}},ui=function(t,i,r,n){return Fe(t,i)&&gr(t[i])?se(n.base?wn(n.base):{},t[i],n.transform):r},Au=function(t,i,r){let n=Fe(t,i)?t[i]:void 0;return n&&typeof n=="object"?Qs(n):r};function yx(){let e=arguments.length>0&&arguments[0]!==void 0?arguments[0]:O1(),t=M=>yx(M);if(t.version="3.4.18",t.removed=[],!e||!e.document||e.document.nodeType!==Se.document||!e.Element)return t.isSupported=!1,t;let i=e.document,r=i,n=r.currentScript,o=e.HTMLTemplateElement,s=e.Node,a=e.Element,l=e.NodeFilter,c=e.DOMParser,u=e.trustedTypes,f=a.prototype,d=tt(f,"cloneNode"),h=tt(f,"remove"),m=tt(f,"removeAttributeNode"),g=tt(f,"nextSibling"),b=tt(f,"childNodes"),x=tt(f,"parentNode"),v=tt(f,"shadowRoot"),T=tt(f,"attributes"),_=s&&s.prototype?tt(s.prototype,"nodeType"):null,w=s&&s.prototype?tt(s.prototype,"nodeName"):null,A=s&&s.prototype?tt(s.prototype,"ownerDocument"):null,I=function(p){return _?_(p):p.nodeType},z=function(p){return w?w(p):p.nodeName},N=y1(f,"namespaceURI"),U=function(p){return N?N(p):p.namespaceURI};if(typeof o=="function"){let M=i.createElement("template");M.content&&M.content.ownerDocument&&(i=M.content.ownerDocument)}let H,O="",Q,S=!1,F=0,D=function(){if(F>0)throw Gt('A configured TRUSTED_TYPES_POLICY callback (createHTML or createScriptURL) must not call DOMPurify.sanitize, as that causes infinite recursion. Do not pass a policy whose callbacks wrap DOMPurify as TRUSTED_TYPES_POLICY; see the "DOMPurify and Trusted Types" section of the README.')},W=function(p){D(),F++;try{return H.createHTML(p)}finally{F--}},Y=function(p){return H&&Na?W(p):p},j=function(p){D(),F++;try{return H.createScriptURL(p)}finally{F--}},$=function(){return S||(Q=U1(u,n),S=!0),Q},te=i,ne=te.implementation,Ne=te.createNodeIterator,_e=te.createDocumentFragment,Be=te.getElementsByTagName,Le=r.importNode,J=hx();t.isSupported=typeof px=="function"&&typeof x=="function"&&ne&&ne.createHTMLDocument!==void 0;let Ve=T1,V=P1,ie=C1,Ze=w1,Vi=R1,Yn=E1,jn=I1,zf=D1,Er=ux,de=null,Ea=se({},[...sx,...Su,...vu,...Tu,...ax]),he=null,Ia=se({},[...lx,...Pu,...cx,...qs]),yt=null,Ir=null,Wf=null,qt=Object.seal(fi(null,{tagCheck:{writable:!0,configurable:!1,enumerable:!0,value:null},attributeCheck:{writable:!0,configurable:!1,enumerable:!0,value:null}})),Hf=!0,Ma=!0,Vf=!1,Da=!0,Lt=!1,pi=!0,mi=!1,ka=!1,Gn=null,Kn=null,Fa=!1,$i=!1,qn=!1,Na=!1,$f=!0,Xf=!1,Yf="user-content-",Ba=!0,Oa=!1,gi=null,Xi=!1,xi=null,jf=se({},["annotation-xml","audio","colgroup","desc","foreignobject","head","iframe","math","mi","mn","mo","ms","mtext","noembed","noframes","noscript","plaintext","script","selectedcontent","style","svg","template","thead","title","video","xmp"]),Gf=null,Kf=se({},["audio","video","img","source","image","track"]),qf=null,Zf=se({},["alt","class","for","id","label","name","pattern","placeholder","role","summary","title","value","style","xmlns"]),Zn="http://www.w3.org/1998/Math/MathML",Qn="http://www.w3.org/2000/svg",bt="http://www.w3.org/1999/xhtml",Yi=bt,Ua=!1,Qf=null,ay=se({},[Zn,Qn,bt],yu),ly=Ee(se({},["mi","mo","mn","ms","mtext"])),La=null,cy=Ee(se({},["annotation-xml"])),za=null,uy=Ee(fi(null)),fy=se({},["title","style","font","a","script"]),Mr=null,dy=["application/xhtml+xml","text/html"],hy="text/html",ye=null,Jn=null,py=i.createElement("form"),Jf=function(p){return p instanceof RegExp||p instanceof Function},Wa=function(){let p=arguments.length>0&&arguments[0]!==void 0?arguments[0]:{};(!p||typeof p!="object")&&(p={}),p=Qs(p),Mr=dy.indexOf(p.PARSER_MEDIA_TYPE)===-1?hy:p.PARSER_MEDIA_TYPE,ye=Mr==="application/xhtml+xml"?yu:Ni,de=ui(p,"ALLOWED_TAGS",Ea,{transform:ye}),he=ui(p,"ALLOWED_ATTR",Ia,{transform:ye}),Qf=ui(p,"ALLOWED_NAMESPACES",ay,{transform:yu}),qf=ui(p,"ADD_URI_SAFE_ATTR",Zf,{transform:ye,base:Zf}),Gf=ui(p,"ADD_DATA_URI_TAGS",Kf,{transform:ye,base:Kf}),xi=ui(p,"FORBID_CONTENTS",jf,{transform:ye}),Ir=ui(p,"FORBID_TAGS",fi(null),{transform:ye}),Wf=ui(p,"FORBID_ATTR",fi(null),{transform:ye}),Xi=Fe(p,"USE_PROFILES")?p.USE_PROFILES&&typeof p.USE_PROFILES=="object"?Qs(p.USE_PROFILES):p.USE_PROFILES:!1,Hf=p.ALLOW_ARIA_ATTR!==!1,Ma=p.ALLOW_DATA_ATTR!==!1,Vf=p.ALLOW_UNKNOWN_PROTOCOLS||!1,Da=p.ALLOW_SELF_CLOSE_IN_ATTR!==!1,Lt=p.SAFE_FOR_TEMPLATES||!1,pi=p.SAFE_FOR_XML!==!1,mi=p.WHOLE_DOCUMENT||!1,$i=p.RETURN_DOM||!1,qn=p.RETURN_DOM_FRAGMENT||!1,Na=p.RETURN_TRUSTED_TYPE||!1,Fa=p.FORCE_BODY||!1,$f=p.SANITIZE_DOM!==!1,Xf=p.SANITIZE_NAMED_PROPS||!1,Ba=p.KEEP_CONTENT!==!1,Oa=p.IN_PLACE||!1,Er=b1(p.ALLOWED_URI_REGEXP)?p.ALLOWED_URI_REGEXP:ux,Yi=typeof p.NAMESPACE=="string"?p.NAMESPACE:bt,La=Au(p,"MATHML_TEXT_INTEGRATION_POINTS",ly),za=Au(p,"HTML_INTEGRATION_POINTS",cy);let y=Au(p,"CUSTOM_ELEMENT_HANDLING",uy);if(yt=fi(null),Fe(y,"tagNameCheck")&&Jf(y.tagNameCheck)&&(yt.tagNameCheck=y.tagNameCheck),Fe(y,"attributeNameCheck")&&Jf(y.attributeNameCheck)&&(yt.attributeNameCheck=y.attributeNameCheck),Fe(y,"allowCustomizedBuiltInElements")&&typeof y.allowCustomizedBuiltInElements=="boolean"&&(yt.allowCustomizedBuiltInElements=y.allowCustomizedBuiltInElements),Te(yt),Lt&&(Ma=!1),qn&&($i=!0),Xi&&((Fe(p,"ALLOWED_TAGS")||Fe(p,"ALLOWED_ATTR"))&&typeof console<"u"&&typeof console.warn=="function"&&console.warn("DOMPurify: USE_PROFILES overrides ALLOWED_TAGS and ALLOWED_ATTR. Do not use these options together."),de=se({},ax),he=fi(null),Xi.html===!0&&(se(de,sx),se(he,lx)),Xi.svg===!0&&(se(de,Su),se(he,Pu),se(he,qs)),Xi.svgFilters===!0&&(se(de,vu),se(he,Pu),se(he,qs)),Xi.mathMl===!0&&(se(de,Tu),se(he,cx),se(he,qs))),qt.tagCheck=null,qt.attributeCheck=null,Fe(p,"ADD_TAGS")&&(typeof p.ADD_TAGS=="function"?qt.tagCheck=p.ADD_TAGS:gr(p.ADD_TAGS)&&(de===Ea&&(de=wn(de)),se(de,p.ADD_TAGS,ye))),Fe(p,"ADD_ATTR")&&(typeof p.ADD_ATTR=="function"?qt.attributeCheck=p.ADD_ATTR:gr(p.ADD_ATTR)&&(he===Ia&&(he=wn(he)),se(he,p.ADD_ATTR,ye))),Fe(p,"ADD_FORBID_CONTENTS")&&gr(p.ADD_FORBID_CONTENTS)&&(xi===jf&&(xi=wn(xi)),se(xi,p.ADD_FORBID_CONTENTS,ye)),Ba&&(de["#text"]=!0),mi&&se(de,["html","head","body"]),de.table&&(de.tbody=!0,delete Ir.tbody),p.TRUSTED_TYPES_POLICY){if(typeof p.TRUSTED_TYPES_POLICY.createHTML!="function")throw Gt('TRUSTED_TYPES_POLICY configuration option must provide a "createHTML" hook.');if(typeof p.TRUSTED_TYPES_POLICY.createScriptURL!="function")throw Gt('TRUSTED_TYPES_POLICY configuration option must provide a "createScriptURL" hook.');let E=H;H=p.TRUSTED_TYPES_POLICY;try{O=W("")}catch(k){throw H=E,k}}else p.TRUSTED_TYPES_POLICY===null?(H=void 0,O=""):(H===void 0&&(H=$()),H&&typeof O=="string"&&(O=W("")));Jn=Ee(p)},ed=se({},[...Su,...vu,...S1]),td=se({},[...Tu,...v1]),my=function(p,y,E){return y===bt?p==="svg":y===Zn?p==="svg"&&(E==="annotation-xml"||La[E]):!!ed[p]},gy=function(p,y,E){return y===bt?p==="math":y===Qn?p==="math"&&za[E]:!!td[p]},xy=function(p,y,E){return y===Qn&&!za[E]||y===Zn&&!La[E]?!1:!td[p]&&(fy[p]||!ed[p])},_y=function(p){let y=U(p),E=Ni(z(p)),k=x(p),X=Yi,K="template";return k&&I(k)===Se.element&&(X=U(k),K=Ni(z(k))),Qf[y]?y===Qn?my(E,X,K):y===Zn?gy(E,X,K):y===bt?xy(E,X,K):Mr==="application/xhtml+xml":!1},Zt=function(p){Pn(t.removed,{element:p});try{x(p).removeChild(p)}catch{if(h(p),!x(p))throw Gt("a node selected for removal could not be detached from its tree and cannot be safely returned; refusing to sanitize in place")}},id=function(p,y,E){try{m(p,y)}catch{try{p.removeAttribute(E)}catch{}}},Ha=function(p){Xa(p);let y=b(p);y&&jt(u1(y),E=>{try{h(E)}catch{}}),I(p)===Se.element&&Va(p,!1)},ji=function(p,y,E){if(!E)try{E=y.getAttributeNode(p)}catch{E=null}if(Pn(t.removed,{attribute:E||null,from:y}),E)id(y,E,p);else try{y.removeAttribute(p)}catch{}if(p==="is")if($i||qn)try{Zt(y)}catch{}else try{y.setAttribute(p,"")}catch{}},Va=function(p,y){let E=T(p);if(E)for(let k=E.length-1;k>=0;--k){let X=E[k],K=X&&X.name;typeof K=="string"&&!(y&&he[ye(K)])&&id(p,X,K)}},$a=function(p,y){let E=arguments.length>2&&arguments[2]!==void 0?arguments[2]:!1,k=[p];for(;k.length>0;){let X=k.pop();if(y(X)===!1)continue;if(E&&I(X)===Se.element){let Z=v(X);Gi(Z)&&k.push(Z)}let K=b(X);if(K)for(let Z=K.length-1;Z>=0;--Z)k.push(K[Z])}},Xa=function(p){$a(p,y=>{I(y)===Se.element&&Va(y,!0)})},Ya=function(p){let y=[];return $a(p,E=>{y.push(E)},!0),y},yy=function(p,y){let E=xu();jt(Ya(p),k=>{I(k)===Se.element&&_u(E,k)}),jt(y,k=>{I(k)===Se.element&&!Cn(E,k)&&Va(k,!0)})},rd=function(p,y){let E=!1;return jt(t.removed,k=>{k.element&&(E=E||k.element===p,Xa(k.element))}),yy(p,y),E},by=8,Sy=function(p,y){let E=gi,k=null,X=()=>(k||(k=xu(),jt(y,K=>{_u(k,K)})),k);for(let K=0;;K++){let Z=Ya(p),Ce=[p],zt=!1;if(jt(Z,nt=>{I(nt)===Se.documentFragment?Pn(Ce,nt):!zt&&!Cn(E,nt)&&(zt=Cn(X(),nt))}),!zt)return;if(K>=by)throw Gt("the tree kept changing during in-place sanitization; refusing to return it");jt(Ce,(nt,$e)=>{vy(nt,$e>0,p,X())})}},vy=function(p,y,E,k){let X=eo(p),K;for(;K=X.nextNode();)!Cn(k,K)||Cn(gi,K)||(y&&rt(J.uponSanitizeShadowNode,K,null),qa(K,E))},Ty=function(p){gi&&_u(gi,p)},nd=function(p,y){return pi?p==="patchsrc"?!0:p==="for"&&y!=="label"&&y!=="output":!1},Py=function(p){pi&&$a(p,y=>{let E=I(y);if(E===Se.processingInstruction||E===Se.comment&&Re(fx,y.data)){try{h(y)}catch{}return!1}if(E===Se.element){let k=y,X=ye(z(y));try{k.hasAttribute&&k.hasAttribute("patchsrc")&&k.removeAttribute("patchsrc"),k.hasAttribute&&k.hasAttribute("for")&&nd("for",X)&&k.removeAttribute("for")}catch{}}return!0})},od=function(p){let y=null,E=null;if(Fa)p="<remove></remove>"+p;else{let K=d1(p,N1);E=K&&K[0]}Mr==="application/xhtml+xml"&&Yi===bt&&(p='<html xmlns="http://www.w3.org/1999/xhtml"><head></head><body>'+p+"</body></html>");let k=H?W(p):p;if(Yi===bt)try{y=new c().parseFromString(k,Mr)}catch{}if(!y||!y.documentElement){y=ne.createDocument(Yi,"template",null);try{y.documentElement.innerHTML=Ua?O:k}catch{}}let X=y.body||y.documentElement;return p&&E&&X.insertBefore(i.createTextNode(E),X.childNodes[0]||null),Yi===bt?Be.call(y,mi?"html":"body")[0]:mi?y.documentElement:X},eo=function(p){let y=arguments.length>1&&arguments[1]!==void 0?arguments[1]:!1,E=A?A(p):p.ownerDocument;return Ne.call(E||p,p,(y?0:l.SHOW_ELEMENT)|l.SHOW_COMMENT|l.SHOW_TEXT|l.SHOW_PROCESSING_INSTRUCTION|l.SHOW_CDATA_SECTION,null)},ja=function(p){return p=Ks(p,Ve," "),p=Ks(p,V," "),p=Ks(p,ie," "),p},Ga=function(p){var y;Ka(p);let E=(y=p.querySelectorAll)===null||y===void 0?void 0:y.call(p,"template");E&&jt(E,k=>{Gi(k.content)&&Ga(k.content)})},Ka=function(p){p.normalize();let y=eo(p,!0),E=y.nextNode();for(;E;)E.data=ja(E.data),E=y.nextNode()},to=function(p){let y=w?w(p):null;return typeof y!="string"||ye(y)!=="form"?!1:typeof p.nodeName!="string"||typeof p.textContent!="string"||typeof p.removeChild!="function"||p.attributes!==T(p)||typeof p.removeAttribute!="function"||typeof p.removeAttributeNode!="function"||typeof p.getAttributeNode!="function"||typeof p.setAttribute!="function"||typeof p.namespaceURI!="string"||typeof p.insertBefore!="function"||typeof p.hasChildNodes!="function"||p.nodeType!==_(p)||p.childNodes!==b(p)},sd=function(p){if(!_||typeof p!="object"||p===null)return null;try{let y=_(p);return typeof y=="number"?y:null}catch{return null}},Gi=function(p){return sd(p)===Se.documentFragment},Dr=function(p){return sd(p)!==null};function rt(M,p,y){M.length!==0&&jt(M,E=>{E.call(t,p,y,Jn)})}let Cy=function(p,y,E){return!!(pi&&E===Se.element&&p.hasChildNodes()&&!Dr(p.firstElementChild)&&Re(Cu,p.textContent)&&Re(Cu,p.innerHTML)||pi&&B1[y]&&E===Se.element&&U(p)===bt&&(Dr(p.firstElementChild)||typeof p.textContent=="string"&&Re(Cu,p.textContent))||E===Se.processingInstruction||pi&&E===Se.comment&&Re(fx,p.data))},io=function(p,y){if(p instanceof RegExp)return Re(p,y);if(p instanceof Function){for(var E=arguments.length,k=new Array(E>2?E-2:0),X=2;X<E;X++)k[X-2]=arguments[X];return!!p(y,...k)}return!1},Ay=function(p,y,E){if(!Ir[y]&&cd(y)&&io(yt.tagNameCheck,y))return!1;if(Ba&&!xi[y]&&!xi[Ni(y)]){let k=x(p),X=b(p);if(X&&k){let K=X.length;for(let Z=K-1;Z>=0;--Z){let Ce=p===E?d(X[Z],!0):X[Z];k.insertBefore(Ce,g(p))}}}return Zt(p),!0},ad=function(p,y,E,k){return p.length===0?y:y===E||y===k?wn(y):y},Ki=function(p,y){return p===y||x(p)!==null?!1:(Oa&&Xa(p),!0)},wy=function(p,y){if(Ty(p),rt(J.beforeSanitizeElements,p,null),Ki(p,y))return!0;if(to(p))return Zt(p),!0;let E=ye(z(p)),k=I(p);if(de=ad(J.uponSanitizeElement,de,Ea,Gn),rt(J.uponSanitizeElement,p,{tagName:E,allowedTags:de}),Ki(p,y))return!0;if(Cy(p,E,k))return Zt(p),!0;if(Ir[E]||!(qt.tagCheck instanceof Function&&qt.tagCheck(E))&&!de[E]){let X=Ay(p,E,y);return X===!1&&(rt(J.afterSanitizeElements,p,null),Ki(p,y))?!0:X}if(k===Se.element&&!_y(p)||(E==="noscript"||E==="noembed"||E==="noframes")&&Re(k1,p.innerHTML))return Zt(p),!0;if(Lt&&k===Se.text){let X=p.textContent,K=ja(X);X!==K&&(Pn(t.removed,{element:p.cloneNode()}),p.textContent=K)}return rt(J.afterSanitizeElements,p,null),Ki(p,y)},ld=function(p,y,E){if(Wf[y]||nd(y,p)||$f&&(y==="id"||y==="name")&&(E in i||E in py))return!1;let k=he[y]||qt.attributeCheck instanceof Function&&qt.attributeCheck(y,p);if(Ma&&Re(Ze,y)||Hf&&Re(Vi,y))return!0;if(!k)return cd(p)&&io(yt.tagNameCheck,p)&&io(yt.attributeNameCheck,y,p)||y==="is"&&yt.allowCustomizedBuiltInElements&&io(yt.tagNameCheck,E);if(qf[y])return!0;let X=Ks(E,jn,"");return Re(Er,X)||(y==="src"||y==="xlink:href"||y==="href")&&p!=="script"&&bu(E,"data:")===0&&Gf[p]||Vf&&!Re(Yn,X)?!0:!E},Ry=se({},["annotation-xml","color-profile","font-face","font-face-format","font-face-name","font-face-src","font-face-uri","missing-glyph"]),cd=function(p){return!Ry[Ni(p)]&&Re(zf,p)},Ey=function(p,y,E,k){if(H&&typeof u=="object"&&typeof u.getAttributeType=="function"&&!E)switch(u.getAttributeType(p,y)){case"TrustedHTML":return W(k);case"TrustedScriptURL":return j(k)}return k},Iy=function(p,y,E,k){try{return E?p.setAttributeNS(E,y,k):p.setAttribute(y,k),to(p)?(Zt(p),!1):!0}catch{return ji(y,p),!1}},ud=function(p,y){return pi&&Re(F1,y)?!0:Ni(p)==="attributename"&&bu(y,"href")!==-1},My=function(p,y){if(rt(J.beforeSanitizeAttributes,p,null),Ki(p,y))return;let E=p.attributes;if(!E||to(p))return;he=ad(J.uponSanitizeAttribute,he,Ia,Kn);let k={attrName:"",attrValue:"",keepAttr:!0,allowedAttributes:he,forceKeepAttr:void 0},X=E.length,K=ye(z(p));for(;X--;){let Z=E[X],Ce=Z.name,zt=Z.namespaceURI,nt=Z.value,$e=ye(Ce),St=nt,Ie=Ce==="value"?St:h1(St),fd=!1;if(k.attrName=$e,k.attrValue=Ie,k.keepAttr=!0,k.forceKeepAttr=void 0,rt(J.uponSanitizeAttribute,p,k),Ie=k.attrValue,Xf&&($e==="id"||$e==="name")&&bu(Ie,Yf)!==0&&(ji(Ce,p,Z),Ie=Yf+Ie,fd=!0),ud(Ce,Ie)){ji(Ce,p,Z);continue}if(!k.forceKeepAttr){if(!k.keepAttr){ji(Ce,p,Z);continue}if(!Da&&Re(dx,Ie)){ji(Ce,p,Z);continue}if(Lt&&(Ie=ja(Ie)),!ld(K,$e,Ie)){ji(Ce,p,Z);continue}Ie=Ey(K,$e,zt,Ie),Ie!==St&&Iy(p,Ce,zt,Ie)&&fd&&rx(t.removed)}}rt(J.afterSanitizeAttributes,p,null),Ki(p,y)},qa=function(p,y){wy(p,y),My(p,y),Gi(p.content)&&Za(p.content)},Za=function(p){let y=null,E=eo(p);for(rt(J.beforeSanitizeShadowDOM,p,null);y=E.nextNode();)if(rt(J.uponSanitizeShadowNode,y,null),qa(y,p),I(y)===Se.element){let k=v(y);Gi(k)&&(Qa(k),Za(k))}Lt&&Ka(p),rt(J.afterSanitizeShadowDOM,p,null)},Qa=function(p){let y=[{node:p,shadow:null}];for(;y.length>0;){let E=y.pop();if(E.shadow){Za(E.shadow);continue}let k=E.node,X=I(k)===Se.element,K=b(k);if(K)for(let Z=K.length-1;Z>=0;--Z)y.push({node:K[Z],shadow:null});if(X){let Z=w?w(k):null;if(typeof Z=="string"&&ye(Z)==="template"){let Ce=k.content;Gi(Ce)&&y.push({node:Ce,shadow:null})}}if(X){let Z=v(k);Gi(Z)&&y.push({node:null,shadow:Z},{node:Z,shadow:null})}}};return t.sanitize=function(M){let p=arguments.length>1&&arguments[1]!==void 0?arguments[1]:{},y=null,E=null,k=null,X=null;if(Ua=!M,Ua&&(M="<!-->"),typeof M!="string"&&!Dr(M)&&(M=_1(M),typeof M!="string"))throw Gt("dirty is not a string, aborting");if(!t.isSupported)return M;ka?(de=Gn,he=Kn):Wa(p),t.removed=[];let K=Oa&&typeof M!="string"&&Dr(M),Z=[],Ce=gi;if(K){Py(M);let St=z(M);if(typeof St=="string"){let Ie=ye(St);if(!de[Ie]||Ir[Ie])throw Ha(M),Gt("root node is forbidden and cannot be sanitized in-place")}if(to(M))throw Ha(M),Gt("root node is clobbered and cannot be sanitized in-place");Z=Ya(M),gi=xu()}else if(Dr(M))y=od("<!---->"),E=y.ownerDocument.importNode(M,!0),E.nodeType===Se.element&&E.nodeName==="BODY"||E.nodeName==="HTML"?y=E:y.appendChild(E),Qa(y);else{if(!$i&&!Lt&&!mi&&M.indexOf("<")===-1)return Y(M);if(y=od(M),!y)return $i?null:Na?O:""}y&&Fa&&Zt(y.firstChild);let zt=K?M:y;try{K&&Qa(M);let St=eo(zt);for(;k=St.nextNode();)qa(k,zt);K&&Sy(M,Z)}catch(St){throw K&&(Ha(M),rd(M,Z)),St}finally{gi=Ce}if(K){if(rd(M,Z))throw Gt("a node selected for removal could not be safely returned; refusing to sanitize in place");return Lt&&Ga(M),M}if($i){if(Lt&&Ga(y),qn)for(X=_e.call(y.ownerDocument);y.firstChild;)X.appendChild(y.firstChild);else X=y;return(he.shadowroot||he.shadowrootmode)&&(X=Le.call(r,X,!0)),X}let nt=()=>mi?y.outerHTML:y.innerHTML,$e=nt();return Lt&&Re(A1,$e)&&(Ka(y),$e=nt()),mi&&de["!doctype"]&&y.ownerDocument&&y.ownerDocument.doctype&&y.ownerDocument.doctype.name&&Re(M1,y.ownerDocument.doctype.name)&&($e="<!DOCTYPE "+y.ownerDocument.doctype.name+`>
`+$e),Y($e)},t.setConfig=function(){let M=arguments.length>0&&arguments[0]!==void 0?arguments[0]:{};Wa(M),ka=!0,Gn=de,Kn=he},t.clearConfig=function(){Jn=null,ka=!1,Gn=null,Kn=null,H=Q,O=""},t.isValidAttribute=function(M,p,y){Jn||Wa({});let E=ye(M),k=ye(p);return typeof y=="string"&&(ud(p,y)||!Da&&Re(dx,y))?!1:ld(E,k,y)},t.addHook=function(M,p){typeof p=="function"&&Fe(J,M)&&Pn(J[M],p)},t.removeHook=function(M,p){if(Fe(J,M)){if(p!==void 0){let y=c1(J[M],p);return y===-1?void 0:f1(J[M],y,1)[0]}return rx(J[M])}},t.removeHooks=function(M){Fe(J,M)&&(J[M]=[])},t.removeAllHooks=function(){J=hx()},t}var bx=yx();function Rn(e,t){return e==null||t==null?NaN:e<t?-1:e>t?1:e>=t?0:NaN}function L1(e,t){return e==null||t==null?NaN:t<e?-1:t>e?1:t>=e?0:NaN}function Sx(e){let t,i,r;e.length!==2?(t=Rn,i=(a,l)=>Rn(e(a),l),r=(a,l)=>e(a)-l):(t=e===Rn||e===L1?e:z1,i=e,r=e);function n(a,l,c=0,u=a.length){if(c<u){if(t(l,l)!==0)return u;do{let f=c+u>>>1;i(a[f],l)<0?c=f+1:u=f}while(c<u)}return c}function o(a,l,c=0,u=a.length){if(c<u){if(t(l,l)!==0)return u;do{let f=c+u>>>1;i(a[f],l)<=0?c=f+1:u=f}while(c<u)}return c}function s(a,l,c=0,u=a.length){let f=n(a,l,c,u-1);return f>c&&r(a[f-1],l)>-r(a[f],l)?f-1:f}return{left:n,center:s,right:o}}function z1(){return 0}function W1(e){return e===null?NaN:+e}var vx=Sx(Rn),Tx=vx.right,hB=vx.left,pB=Sx(W1).center;var mB=Px(Cx),gB=Px(H1);function Px(e){return function(t,i,r=i){if(!((i=+i)>=0))throw new RangeError("invalid rx");if(!((r=+r)>=0))throw new RangeError("invalid ry");let{data:n,width:o,height:s}=t;if(!((o=Math.floor(o))>=0))throw new RangeError("invalid width");if(!((s=Math.floor(s!==void 0?s:n.length/o))>=0))throw new RangeError("invalid height");if(!o||!s||!i&&!r)return t;let a=i&&e(i),l=r&&e(r),c=n.slice();return a&&l?(xr(a,c,n,o,s),xr(a,n,c,o,s),xr(a,c,n,o,s),_r(l,n,c,o,s),_r(l,c,n,o,s),_r(l,n,c,o,s)):a?(xr(a,n,c,o,s),xr(a,c,n,o,s),xr(a,n,c,o,s)):l&&(_r(l,n,c,o,s),_r(l,c,n,o,s),_r(l,n,c,o,s)),t}}function xr(e,t,i,r,n){for(let o=0,s=r*n;o<s;)e(t,i,o,o+=r,1)}function _r(e,t,i,r,n){for(let o=0,s=r*n;o<r;++o)e(t,i,o,o+s,r)}function H1(e){let t=Cx(e);return(i,r,n,o,s)=>{n<<=2,o<<=2,s<<=2,t(i,r,n+0,o+0,s),t(i,r,n+1,o+1,s),t(i,r,n+2,o+2,s),t(i,r,n+3,o+3,s)}}function Cx(e){let t=Math.floor(e);if(t===e)return V1(e);let i=e-t,r=2*e+1;return(n,o,s,a,l)=>{if(!((a-=l)>=s))return;let c=t*o[s],u=l*t,f=u+l;for(let d=s,h=s+u;d<h;d+=l)c+=o[Math.min(a,d)];for(let d=s,h=a;d<=h;d+=l)c+=o[Math.min(a,d+u)],n[d]=(c+i*(o[Math.max(s,d-f)]+o[Math.min(a,d+f)]))/r,c-=o[Math.max(s,d-u)]}}function V1(e){let t=2*e+1;return(i,r,n,o,s)=>{if(!((o-=s)>=n))return;let a=e*r[n],l=s*e;for(let c=n,u=n+l;c<u;c+=s)a+=r[Math.min(o,c)];for(let c=n,u=o;c<=u;c+=s)a+=r[Math.min(o,c+l)],i[c]=a/t,a-=r[Math.max(n,c-l)]}}var $1=Array.prototype,xB=$1.slice;var X1=Math.sqrt(50),Y1=Math.sqrt(10),j1=Math.sqrt(2);function Js(e,t,i){let r=(t-e)/Math.max(0,i),n=Math.floor(Math.log10(r)),o=r/Math.pow(10,n),s=o>=X1?10:o>=Y1?5:o>=j1?2:1,a,l,c;return n<0?(c=Math.pow(10,-n)/s,a=Math.round(e*c),l=Math.round(t*c),a/c<e&&++a,l/c>t&&--l,c=-c):(c=Math.pow(10,n)*s,a=Math.round(e/c),l=Math.round(t/c),a*c<e&&++a,l*c>t&&--l),l<a&&.5<=i&&i<2?Js(e,t,i*2):[a,l,c]}function Ax(e,t,i){if(t=+t,e=+e,i=+i,!(i>0))return[];if(e===t)return[e];let r=t<e,[n,o,s]=r?Js(t,e,i):Js(e,t,i);if(!(o>=n))return[];let a=o-n+1,l=new Array(a);if(r)if(s<0)for(let c=0;c<a;++c)l[c]=(o-c)/-s;else for(let c=0;c<a;++c)l[c]=(o-c)*s;else if(s<0)for(let c=0;c<a;++c)l[c]=(n+c)/-s;else for(let c=0;c<a;++c)l[c]=(n+c)*s;return l}function ea(e,t,i){return t=+t,e=+e,i=+i,Js(e,t,i)[2]}function wx(e,t,i){t=+t,e=+e,i=+i;let r=t<e,n=r?ea(t,e,i):ea(e,t,i);return(r?-1:1)*(n<0?1/-n:n)}function Ru(e,t,i){e=+e,t=+t,i=(n=arguments.length)<2?(t=e,e=0,1):n<3?1:+i;for(var r=-1,n=Math.max(0,Math.ceil((t-e)/i))|0,o=new Array(n);++r<n;)o[r]=e+r*i;return o}var _B=G1(Math.random);function G1(e){return function(i,r=0,n=i.length){let o=n-(r=+r);for(;o;){let s=e()*o--|0,a=i[o+r];i[o+r]=i[s+r],i[s+r]=a}return i}}function K1(e){return Math.abs(e=Math.round(e))>=1e21?e.toLocaleString("en").replace(/,/g,""):e.toString(10)}function ia(e,t){if(!isFinite(e)||e===0)return null;var i=(e=t?e.toExponential(t-1):e.toExponential()).indexOf("e"),r=e.slice(0,i);return[r.length>1?r[0]+r.slice(2):r,+e.slice(i+1)]}function yr(e){return e=ia(Math.abs(e)),e?e[1]:NaN}function q1(e,t){return function(i,r){for(var n=i.length,o=[],s=0,a=e[0],l=0;n>0&&a>0&&(l+a+1>r&&(a=Math.max(1,r-l)),o.push(i.substring(n-=a,n+a)),!((l+=a+1)>r));)a=e[s=(s+1)%e.length];return o.reverse().join(t)}}function Z1(e){return function(t){return t.replace(/[0-9]/g,function(i){return e[+i]})}}var Q1=/^(?:(.)?([<>=^]))?([+\-( ])?([$#])?(0)?(\d+)?(,)?(\.\d+)?(~)?([a-z%])?$/i;function En(e){if(!(t=Q1.exec(e)))throw new Error("invalid format: "+e);var t;return new Eu({fill:t[1],align:t[2],sign:t[3],symbol:t[4],zero:t[5],width:t[6],comma:t[7],precision:t[8]&&t[8].slice(1),trim:t[9],type:t[10]})}En.prototype=Eu.prototype;function Eu(e){this.fill=e.fill===void 0?" ":e.fill+"",this.align=e.align===void 0?">":e.align+"",this.sign=e.sign===void 0?"-":e.sign+"",this.symbol=e.symbol===void 0?"":e.symbol+"",this.zero=!!e.zero,this.width=e.width===void 0?void 0:+e.width,this.comma=!!e.comma,this.precision=e.precision===void 0?void 0:+e.precision,this.trim=!!e.trim,this.type=e.type===void 0?"":e.type+""}Eu.prototype.toString=function(){return this.fill+this.align+this.sign+this.symbol+(this.zero?"0":"")+(this.width===void 0?"":Math.max(1,this.width|0))+(this.comma?",":"")+(this.precision===void 0?"":"."+Math.max(0,this.precision|0))+(this.trim?"~":"")+this.type};function J1(e){e:for(var t=e.length,i=1,r=-1,n;i<t;++i)switch(e[i]){case".":r=n=i;break;case"0":r===0&&(r=i),n=i;break;default:if(!+e[i])break e;r>0&&(r=0);break}return r>0?e.slice(0,r)+e.slice(n+1):e}var ra;function eA(e,t){var i=ia(e,t);if(!i)return ra=void 0,e.toPrecision(t);var r=i[0],n=i[1],o=n-(ra=Math.max(-8,Math.min(8,Math.floor(n/3)))*3)+1,s=r.length;return o===s?r:o>s?r+new Array(o-s+1).join("0"):o>0?r.slice(0,o)+"."+r.slice(o):"0."+new Array(1-o).join("0")+ia(e,Math.max(0,t+o-1))[0]}function Rx(e,t){var i=ia(e,t);if(!i)return e+"";var r=i[0],n=i[1];return n<0?"0."+new Array(-n).join("0")+r:r.length>n+1?r.slice(0,n+1)+"."+r.slice(n+1):r+new Array(n-r.length+2).join("0")}var Ex={"%":(e,t)=>(e*100).toFixed(t),b:e=>Math.round(e).toString(2),c:e=>e+"",d:K1,e:(e,t)=>e.toExponential(t),f:(e,t)=>e.toFixed(t),g:(e,t)=>e.toPrecision(t),o:e=>Math.round(e).toString(8),p:(e,t)=>Rx(e*100,t),r:Rx,s:eA,X:e=>Math.round(e).toString(16).toUpperCase(),x:e=>Math.round(e).toString(16)};function Ix(e){return e}var Mx=Array.prototype.map,Dx=["y","z","a","f","p","n","\xB5","m","","k","M","G","T","P","E","Z","Y"];function tA(e){var t=e.grouping===void 0||e.thousands===void 0?Ix:q1(Mx.call(e.grouping,Number),e.thousands+""),i=e.currency===void 0?"":e.currency[0]+"",r=e.currency===void 0?"":e.currency[1]+"",n=e.decimal===void 0?".":e.decimal+"",o=e.numerals===void 0?Ix:Z1(Mx.call(e.numerals,String)),s=e.percent===void 0?"%":e.percent+"",a=e.minus===void 0?"\u2212":e.minus+"",l=e.nan===void 0?"NaN":e.nan+"";function c(f,d){f=En(f);var h=f.fill,m=f.align,g=f.sign,b=f.symbol,x=f.zero,v=f.width,T=f.comma,_=f.precision,w=f.trim,A=f.type;A==="n"?(T=!0,A="g"):Ex[A]||(_===void 0&&(_=12),w=!0,A="g"),(x||h==="0"&&m==="=")&&(x=!0,h="0",m="=");var I=(d&&d.prefix!==void 0?d.prefix:"")+(b==="$"?i:b==="#"&&/[boxX]/.test(A)?"0"+A.toLowerCase():""),z=(b==="$"?r:/[%p]/.test(A)?s:"")+(d&&d.suffix!==void 0?d.suffix:""),N=Ex[A],U=/[defgprs%]/.test(A);_=_===void 0?6:/[gprs]/.test(A)?Math.max(1,Math.min(21,_)):Math.max(0,Math.min(20,_));function H(O){var Q=I,S=z,F,D,W;if(A==="c")S=N(O)+S,O="";else{O=+O;var Y=O<0||1/O<0;if(O=isNaN(O)?l:N(Math.abs(O),_),w&&(O=J1(O)),Y&&+O==0&&g!=="+"&&(Y=!1),Q=(Y?g==="("?g:a:g==="-"||g==="("?"":g)+Q,S=(A==="s"&&!isNaN(O)&&ra!==void 0?Dx[8+ra/3]:"")+S+(Y&&g==="("?")":""),U){for(F=-1,D=O.length;++F<D;)if(W=O.charCodeAt(F),48>W||W>57){S=(W===46?n+O.slice(F+1):O.slice(F))+S,O=O.slice(0,F);break}}}T&&!x&&(O=t(O,1/0));var j=Q.length+O.length+S.length,$=j<v?new Array(v-j+1).join(h):"";switch(T&&x&&(O=t($+O,$.length?v-S.length:1/0),$=""),m){case"<":O=Q+O+S+$;break;case"=":O=Q+$+O+S;break;case"^":O=$.slice(0,j=$.length>>1)+Q+O+S+$.slice(j);break;default:O=$+Q+O+S;break}return o(O)}return H.toString=function(){return f+""},H}function u(f,d){var h=Math.max(-8,Math.min(8,Math.floor(yr(d)/3)))*3,m=Math.pow(10,-h),g=c((f=En(f),f.type="f",f),{suffix:Dx[8+h/3]});return function(b){return g(m*b)}}return{format:c,formatPrefix:u}}var ta,Iu,Mu;iA({thousands:",",grouping:[3],currency:["$",""]});function iA(e){return ta=tA(e),Iu=ta.format,Mu=ta.formatPrefix,ta}function kx(e){return Math.max(0,-yr(Math.abs(e)))}function Fx(e,t){return Math.max(0,Math.max(-8,Math.min(8,Math.floor(yr(t)/3)))*3-yr(Math.abs(e)))}function Nx(e,t){return e=Math.abs(e),t=Math.abs(t)-e,Math.max(0,yr(t)-yr(e))+1}function Ux(e,t){switch(arguments.length){case 0:break;case 1:this.range(e);break;default:this.range(t).domain(e);break}return this}function rA(e){return function(){return e}}function nA(e){return+e}var Bx=[0,1];function Nt(e){return e}function Du(e,t){return(t-=e=+e)?function(i){return(i-e)/t}:rA(isNaN(t)?NaN:.5)}function oA(e,t){var i;return e>t&&(i=e,e=t,t=i),function(r){return Math.max(e,Math.min(t,r))}}function sA(e,t,i){var r=e[0],n=e[1],o=t[0],s=t[1];return n<r?(r=Du(n,r),o=i(s,o)):(r=Du(r,n),o=i(o,s)),function(a){return o(r(a))}}function aA(e,t,i){var r=Math.min(e.length,t.length)-1,n=new Array(r),o=new Array(r),s=-1;for(e[r]<e[0]&&(e=e.slice().reverse(),t=t.slice().reverse());++s<r;)n[s]=Du(e[s],e[s+1]),o[s]=i(t[s],t[s+1]);return function(a){var l=Tx(e,a,1,r)-1;return o[l](n[l](a))}}function Lx(e,t){return t.domain(e.domain()).range(e.range()).interpolate(e.interpolate()).clamp(e.clamp()).unknown(e.unknown())}function zx(){var e=Bx,t=Bx,i=Uo,r,n,o,s=Nt,a,l,c;function u(){var d=Math.min(e.length,t.length);return s!==Nt&&(s=oA(e[0],e[d-1])),a=d>2?aA:sA,l=c=null,f}function f(d){return d==null||isNaN(d=+d)?o:(l||(l=a(e.map(r),t,i)))(r(s(d)))}return f.invert=function(d){return s(n((c||(c=a(t,e.map(r),je)))(d)))},f.domain=function(d){return arguments.length?(e=Array.from(d,nA),u()):e.slice()},f.range=function(d){return arguments.length?(t=Array.from(d),u()):t.slice()},f.rangeRound=function(d){return t=Array.from(d),i=Uh,u()},f.clamp=function(d){return arguments.length?(s=d?!0:Nt,u()):s!==Nt},f.interpolate=function(d){return arguments.length?(i=d,u()):i},f.unknown=function(d){return arguments.length?(o=d,f):o},function(d,h){return r=d,n=h,u()}}function lA(){return zx()(Nt,Nt)}function cA(e,t,i,r){var n=wx(e,t,i),o;switch(r=En(r??",f"),r.type){case"s":{var s=Math.max(Math.abs(e),Math.abs(t));return r.precision==null&&!isNaN(o=Fx(n,s))&&(r.precision=o),Mu(r,s)}case"":case"e":case"g":case"p":case"r":{r.precision==null&&!isNaN(o=Nx(n,Math.max(Math.abs(e),Math.abs(t))))&&(r.precision=o-(r.type==="e"));break}case"f":case"%":{r.precision==null&&!isNaN(o=kx(n))&&(r.precision=o-(r.type==="%")*2);break}}return Iu(r)}function Wx(e){var t=e.domain;return e.ticks=function(i){var r=t();return Ax(r[0],r[r.length-1],i??10)},e.tickFormat=function(i,r){var n=t();return cA(n[0],n[n.length-1],i??10,r)},e.nice=function(i){i==null&&(i=10);var r=t(),n=0,o=r.length-1,s=r[n],a=r[o],l,c,u=10;for(a<s&&(c=s,s=a,a=c,c=n,n=o,o=c);u-- >0;){if(c=ea(s,a,i),c===l)return r[n]=s,r[o]=a,t(r);if(c>0)s=Math.floor(s/c)*c,a=Math.ceil(a/c)*c;else if(c<0)s=Math.ceil(s*c)/c,a=Math.floor(a*c)/c;else break;l=c}return e},e}function na(){var e=lA();return e.copy=function(){return Lx(e,na())},Ux.apply(e,arguments),Wx(e)}function Ox(e){return function(t){return t<0?-Math.pow(-t,e):Math.pow(t,e)}}function uA(e){return e<0?-Math.sqrt(-e):Math.sqrt(e)}function fA(e){return e<0?-e*e:e*e}function dA(e){var t=e(Nt,Nt),i=1;function r(){return i===1?e(Nt,Nt):i===.5?e(uA,fA):e(Ox(i),Ox(1/i))}return t.exponent=function(n){return arguments.length?(i=+n,r()):i},Wx(t)}function ku(){var e=dA(zx());return e.copy=function(){return Lx(e,ku()).exponent(e.exponent())},Ux.apply(e,arguments),e}var Bt=1e-6,In=typeof Float32Array<"u"?Float32Array:Array;var EB=Math.PI/180,IB=180/Math.PI;var Ot={};dd(Ot,{add:()=>OA,adjoint:()=>TA,clone:()=>gA,copy:()=>xA,create:()=>pA,determinant:()=>PA,equals:()=>WA,exactEquals:()=>zA,frob:()=>BA,fromMat2d:()=>MA,fromMat4:()=>mA,fromQuat:()=>DA,fromRotation:()=>EA,fromScaling:()=>IA,fromTranslation:()=>RA,fromValues:()=>_A,identity:()=>bA,invert:()=>vA,mul:()=>HA,multiply:()=>Hx,multiplyScalar:()=>UA,multiplyScalarAndAdd:()=>LA,normalFromMat4:()=>kA,projection:()=>FA,rotate:()=>AA,scale:()=>wA,set:()=>yA,str:()=>NA,sub:()=>VA,subtract:()=>Vx,translate:()=>CA,transpose:()=>SA});function pA(){var e=new In(9);return In!=Float32Array&&(e[1]=0,e[2]=0,e[3]=0,e[5]=0,e[6]=0,e[7]=0),e[0]=1,e[4]=1,e[8]=1,e}function mA(e,t){return e[0]=t[0],e[1]=t[1],e[2]=t[2],e[3]=t[4],e[4]=t[5],e[5]=t[6],e[6]=t[8],e[7]=t[9],e[8]=t[10],e}function gA(e){var t=new In(9);return t[0]=e[0],t[1]=e[1],t[2]=e[2],t[3]=e[3],t[4]=e[4],t[5]=e[5],t[6]=e[6],t[7]=e[7],t[8]=e[8],t}function xA(e,t){return e[0]=t[0],e[1]=t[1],e[2]=t[2],e[3]=t[3],e[4]=t[4],e[5]=t[5],e[6]=t[6],e[7]=t[7],e[8]=t[8],e}function _A(e,t,i,r,n,o,s,a,l){var c=new In(9);return c[0]=e,c[1]=t,c[2]=i,c[3]=r,c[4]=n,c[5]=o,c[6]=s,c[7]=a,c[8]=l,c}function yA(e,t,i,r,n,o,s,a,l,c){return e[0]=t,e[1]=i,e[2]=r,e[3]=n,e[4]=o,e[5]=s,e[6]=a,e[7]=l,e[8]=c,e}function bA(e){return e[0]=1,e[1]=0,e[2]=0,e[3]=0,e[4]=1,e[5]=0,e[6]=0,e[7]=0,e[8]=1,e}function SA(e,t){if(e===t){var i=t[1],r=t[2],n=t[5];e[1]=t[3],e[2]=t[6],e[3]=i,e[5]=t[7],e[6]=r,e[7]=n}else e[0]=t[0],e[1]=t[3],e[2]=t[6],e[3]=t[1],e[4]=t[4],e[5]=t[7],e[6]=t[2],e[7]=t[5],e[8]=t[8];return e}function vA(e,t){var i=t[0],r=t[1],n=t[2],o=t[3],s=t[4],a=t[5],l=t[6],c=t[7],u=t[8],f=u*s-a*c,d=-u*o+a*l,h=c*o-s*l,m=i*f+r*d+n*h;return m?(m=1/m,e[0]=f*m,e[1]=(-u*r+n*c)*m,e[2]=(a*r-n*s)*m,e[3]=d*m,e[4]=(u*i-n*l)*m,e[5]=(-a*i+n*o)*m,e[6]=h*m,e[7]=(-c*i+r*l)*m,e[8]=(s*i-r*o)*m,e):null}function TA(e,t){var i=t[0],r=t[1],n=t[2],o=t[3],s=t[4],a=t[5],l=t[6],c=t[7],u=t[8];return e[0]=s*u-a*c,e[1]=n*c-r*u,e[2]=r*a-n*s,e[3]=a*l-o*u,e[4]=i*u-n*l,e[5]=n*o-i*a,e[6]=o*c-s*l,e[7]=r*l-i*c,e[8]=i*s-r*o,e}function PA(e){var t=e[0],i=e[1],r=e[2],n=e[3],o=e[4],s=e[5],a=e[6],l=e[7],c=e[8];return t*(c*o-s*l)+i*(-c*n+s*a)+r*(l*n-o*a)}function Hx(e,t,i){var r=t[0],n=t[1],o=t[2],s=t[3],a=t[4],l=t[5],c=t[6],u=t[7],f=t[8],d=i[0],h=i[1],m=i[2],g=i[3],b=i[4],x=i[5],v=i[6],T=i[7],_=i[8];return e[0]=d*r+h*s+m*c,e[1]=d*n+h*a+m*u,e[2]=d*o+h*l+m*f,e[3]=g*r+b*s+x*c,e[4]=g*n+b*a+x*u,e[5]=g*o+b*l+x*f,e[6]=v*r+T*s+_*c,e[7]=v*n+T*a+_*u,e[8]=v*o+T*l+_*f,e}function CA(e,t,i){var r=t[0],n=t[1],o=t[2],s=t[3],a=t[4],l=t[5],c=t[6],u=t[7],f=t[8],d=i[0],h=i[1];return e[0]=r,e[1]=n,e[2]=o,e[3]=s,e[4]=a,e[5]=l,e[6]=d*r+h*s+c,e[7]=d*n+h*a+u,e[8]=d*o+h*l+f,e}function AA(e,t,i){var r=t[0],n=t[1],o=t[2],s=t[3],a=t[4],l=t[5],c=t[6],u=t[7],f=t[8],d=Math.sin(i),h=Math.cos(i);return e[0]=h*r+d*s,e[1]=h*n+d*a,e[2]=h*o+d*l,e[3]=h*s-d*r,e[4]=h*a-d*n,e[5]=h*l-d*o,e[6]=c,e[7]=u,e[8]=f,e}function wA(e,t,i){var r=i[0],n=i[1];return e[0]=r*t[0],e[1]=r*t[1],e[2]=r*t[2],e[3]=n*t[3],e[4]=n*t[4],e[5]=n*t[5],e[6]=t[6],e[7]=t[7],e[8]=t[8],e}function RA(e,t){return e[0]=1,e[1]=0,e[2]=0,e[3]=0,e[4]=1,e[5]=0,e[6]=t[0],e[7]=t[1],e[8]=1,e}function EA(e,t){var i=Math.sin(t),r=Math.cos(t);return e[0]=r,e[1]=i,e[2]=0,e[3]=-i,e[4]=r,e[5]=0,e[6]=0,e[7]=0,e[8]=1,e}function IA(e,t){return e[0]=t[0],e[1]=0,e[2]=0,e[3]=0,e[4]=t[1],e[5]=0,e[6]=0,e[7]=0,e[8]=1,e}function MA(e,t){return e[0]=t[0],e[1]=t[1],e[2]=0,e[3]=t[2],e[4]=t[3],e[5]=0,e[6]=t[4],e[7]=t[5],e[8]=1,e}function DA(e,t){var i=t[0],r=t[1],n=t[2],o=t[3],s=i+i,a=r+r,l=n+n,c=i*s,u=r*s,f=r*a,d=n*s,h=n*a,m=n*l,g=o*s,b=o*a,x=o*l;return e[0]=1-f-m,e[3]=u-x,e[6]=d+b,e[1]=u+x,e[4]=1-c-m,e[7]=h-g,e[2]=d-b,e[5]=h+g,e[8]=1-c-f,e}function kA(e,t){var i=t[0],r=t[1],n=t[2],o=t[3],s=t[4],a=t[5],l=t[6],c=t[7],u=t[8],f=t[9],d=t[10],h=t[11],m=t[12],g=t[13],b=t[14],x=t[15],v=i*a-r*s,T=i*l-n*s,_=i*c-o*s,w=r*l-n*a,A=r*c-o*a,I=n*c-o*l,z=u*g-f*m,N=u*b-d*m,U=u*x-h*m,H=f*b-d*g,O=f*x-h*g,Q=d*x-h*b,S=v*Q-T*O+_*H+w*U-A*N+I*z;return S?(S=1/S,e[0]=(a*Q-l*O+c*H)*S,e[1]=(l*U-s*Q-c*N)*S,e[2]=(s*O-a*U+c*z)*S,e[3]=(n*O-r*Q-o*H)*S,e[4]=(i*Q-n*U+o*N)*S,e[5]=(r*U-i*O-o*z)*S,e[6]=(g*I-b*A+x*w)*S,e[7]=(b*_-m*I-x*T)*S,e[8]=(m*A-g*_+x*v)*S,e):null}function FA(e,t,i){return e[0]=2/t,e[1]=0,e[2]=0,e[3]=0,e[4]=-2/i,e[5]=0,e[6]=-1,e[7]=1,e[8]=1,e}function NA(e){return"mat3("+e[0]+", "+e[1]+", "+e[2]+", "+e[3]+", "+e[4]+", "+e[5]+", "+e[6]+", "+e[7]+", "+e[8]+")"}function BA(e){return Math.sqrt(e[0]*e[0]+e[1]*e[1]+e[2]*e[2]+e[3]*e[3]+e[4]*e[4]+e[5]*e[5]+e[6]*e[6]+e[7]*e[7]+e[8]*e[8])}function OA(e,t,i){return e[0]=t[0]+i[0],e[1]=t[1]+i[1],e[2]=t[2]+i[2],e[3]=t[3]+i[3],e[4]=t[4]+i[4],e[5]=t[5]+i[5],e[6]=t[6]+i[6],e[7]=t[7]+i[7],e[8]=t[8]+i[8],e}function Vx(e,t,i){return e[0]=t[0]-i[0],e[1]=t[1]-i[1],e[2]=t[2]-i[2],e[3]=t[3]-i[3],e[4]=t[4]-i[4],e[5]=t[5]-i[5],e[6]=t[6]-i[6],e[7]=t[7]-i[7],e[8]=t[8]-i[8],e}function UA(e,t,i){return e[0]=t[0]*i,e[1]=t[1]*i,e[2]=t[2]*i,e[3]=t[3]*i,e[4]=t[4]*i,e[5]=t[5]*i,e[6]=t[6]*i,e[7]=t[7]*i,e[8]=t[8]*i,e}function LA(e,t,i,r){return e[0]=t[0]+i[0]*r,e[1]=t[1]+i[1]*r,e[2]=t[2]+i[2]*r,e[3]=t[3]+i[3]*r,e[4]=t[4]+i[4]*r,e[5]=t[5]+i[5]*r,e[6]=t[6]+i[6]*r,e[7]=t[7]+i[7]*r,e[8]=t[8]+i[8]*r,e}function zA(e,t){return e[0]===t[0]&&e[1]===t[1]&&e[2]===t[2]&&e[3]===t[3]&&e[4]===t[4]&&e[5]===t[5]&&e[6]===t[6]&&e[7]===t[7]&&e[8]===t[8]}function WA(e,t){var i=e[0],r=e[1],n=e[2],o=e[3],s=e[4],a=e[5],l=e[6],c=e[7],u=e[8],f=t[0],d=t[1],h=t[2],m=t[3],g=t[4],b=t[5],x=t[6],v=t[7],T=t[8];return Math.abs(i-f)<=Bt*Math.max(1,Math.abs(i),Math.abs(f))&&Math.abs(r-d)<=Bt*Math.max(1,Math.abs(r),Math.abs(d))&&Math.abs(n-h)<=Bt*Math.max(1,Math.abs(n),Math.abs(h))&&Math.abs(o-m)<=Bt*Math.max(1,Math.abs(o),Math.abs(m))&&Math.abs(s-g)<=Bt*Math.max(1,Math.abs(s),Math.abs(g))&&Math.abs(a-b)<=Bt*Math.max(1,Math.abs(a),Math.abs(b))&&Math.abs(l-x)<=Bt*Math.max(1,Math.abs(l),Math.abs(x))&&Math.abs(c-v)<=Bt*Math.max(1,Math.abs(c),Math.abs(v))&&Math.abs(u-T)<=Bt*Math.max(1,Math.abs(u),Math.abs(T))}var HA=Hx,VA=Vx;var u0=hd(s0(),1);function a0(e,t){for(var i=0;i<t.length;i++){var r=t[i];r.enumerable=r.enumerable||!1,r.configurable=!0,"value"in r&&(r.writable=!0),Object.defineProperty(e,ZA(r.key),r)}}function Wu(e,t,i){return t&&a0(e.prototype,t),i&&a0(e,i),Object.defineProperty(e,"prototype",{writable:!1}),e}function f0(e,t){e.prototype=Object.create(t.prototype),e.prototype.constructor=e,zu(e,t)}function zu(e,t){return zu=Object.setPrototypeOf?Object.setPrototypeOf.bind():function(r,n){return r.__proto__=n,r},zu(e,t)}function qA(e,t){if(typeof e!="object"||e===null)return e;var i=e[Symbol.toPrimitive];if(i!==void 0){var r=i.call(e,t||"default");if(typeof r!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(t==="string"?String:Number)(e)}function ZA(e){var t=qA(e,"string");return typeof t=="symbol"?t:String(t)}var sa=(function(){function e(){}var t=e.prototype;return t._seed=function(r,n){if(r===(r||0))return r;for(var o=""+r,s=0,a=0;a<o.length;++a)s^=o.charCodeAt(a)|0;return s},e})(),l0=(function(e){f0(t,e);function t(r,n){var o;return o=e.call(this)||this,o._rng=void 0,o.seed(r,n),o}var i=t.prototype;return i.next=function(){return this._rng()},i.seed=function(n,o){this._rng=n},i.clone=function(n,o){return new t(this._rng,o)},Wu(t,[{key:"name",get:function(){return"function"}}]),t})(sa),c0=(function(){var e=[].slice.call(arguments),t=e,i=t[0],r=i===void 0?"default":i;switch(typeof r){case"object":if(r instanceof sa)return r;break;case"function":return new l0(r);default:return new l0(u0.default.apply(void 0,e))}throw new Error('invalid RNG "'+r+'"')}),QA=(function(e,t,i){return t===void 0&&(t=0),i===void 0&&(i=1),function(){return e.next()*(i-t)+t}});function mt(e){return new JA(e)}var JA=function(t){var i=this;this.n=void 0,this.isInt=function(){if(Number.isInteger(i.n))return i;throw new Error("Expected number to be an integer, got "+i.n)},this.isPositive=function(){if(i.n>0)return i;throw new Error("Expected number to be positive, got "+i.n)},this.lessThan=function(r){if(i.n<r)return i;throw new Error("Expected number to be less than "+r+", got "+i.n)},this.greaterThanOrEqual=function(r){if(i.n>=r)return i;throw new Error("Expected number to be greater than or equal to "+r+", got "+i.n)},this.greaterThan=function(r){if(i.n>r)return i;throw new Error("Expected number to be greater than "+r+", got "+i.n)},this.n=t},ew=(function(e,t,i){return t===void 0&&(t=0),i===void 0&&(i=1),i===void 0&&(i=t===void 0?1:t,t=0),mt(t).isInt(),mt(i).isInt(),function(){return Math.floor(e.next()*(i-t+1)+t)}}),tw=(function(e){return function(){return e.next()>=.5}}),iw=(function(e,t,i){return t===void 0&&(t=0),i===void 0&&(i=1),function(){var r,n,o;do r=e.next()*2-1,n=e.next()*2-1,o=r*r+n*n;while(!o||o>1);return t+i*n*Math.sqrt(-2*Math.log(o)/o)}}),rw=(function(e,t,i){t===void 0&&(t=0),i===void 0&&(i=1);var r=e.normal(t,i);return function(){return Math.exp(r())}}),nw=(function(e,t){return t===void 0&&(t=.5),mt(t).greaterThanOrEqual(0).lessThan(1),function(){return Math.floor(e.next()+t)}}),ow=(function(e,t,i){return t===void 0&&(t=1),i===void 0&&(i=.5),mt(t).isInt().isPositive(),mt(i).greaterThanOrEqual(0).lessThan(1),function(){for(var r=0,n=0;r++<t;)e.next()<i&&n++;return n}}),sw=(function(e,t){t===void 0&&(t=.5),mt(t).greaterThan(0).lessThan(1);var i=1/Math.log(1-t);return function(){return Math.floor(1+Math.log(e.next())*i)}}),aw=[0,0,.6931471805599453,1.791759469228055,3.1780538303479458,4.787491742782046,6.579251212010101,8.525161361065415,10.60460290274525,12.801827480081469],lw=function(t){return aw[t]},cw=.9189385332046727,uw=(function(e,t){if(t===void 0&&(t=1),mt(t).isPositive(),t<10){var i=Math.exp(-t);return function(){for(var l=i,c=0,u=e.next();u>l;)u=u-l,l=t*l/++c;return c}}else{var r=Math.sqrt(t),n=.931+2.53*r,o=-.059+.02483*n,s=1.1239+1.1328/(n-3.4),a=.9277-3.6224/(n-2);return function(){for(;;){var l=void 0,c=e.next();if(c<=.86*a)return l=c/a-.43,Math.floor((2*o/(.5-Math.abs(l))+n)*l+t+.445);c>=a?l=e.next()-.5:(l=c/a-.93,l=(l<0?-.5:.5)-l,c=e.next()*a);var u=.5-Math.abs(l);if(!(u<.013&&c>u)){var f=Math.floor((2*o/u+n)*l+t+.445);if(c=c*s/(o/(u*u)+n),f>=10){var d=(f+.5)*Math.log(t/f)-t-cw+f-(.08333333333333333-(.002777777777777778-1/(1260*f*f))/(f*f))/f;if(Math.log(c*r)<=d)return f}else if(f>=0){var h,m=(h=lw(f))!=null?h:0;if(Math.log(c)<=f*Math.log(t)-t-m)return f}}}}}}),fw=(function(e,t){return t===void 0&&(t=1),mt(t).isPositive(),function(){return-Math.log(1-e.next())/t}}),dw=(function(e,t){return t===void 0&&(t=1),mt(t).isInt().greaterThanOrEqual(0),function(){for(var i=0,r=0;r<t;++r)i+=e.next();return i}}),hw=(function(e,t){t===void 0&&(t=1),mt(t).isInt().isPositive();var i=e.irwinHall(t);return function(){return i()/t}}),pw=(function(e,t){t===void 0&&(t=1),mt(t).greaterThanOrEqual(0);var i=1/t;return function(){return 1/Math.pow(1-e.next(),i)}}),mw=(function(e){f0(t,e);function t(){return e.apply(this,arguments)||this}var i=t.prototype;return i.next=function(){return Math.random()},i.seed=function(n,o){},i.clone=function(){return new t},Wu(t,[{key:"name",get:function(){return"default"}}]),t})(sa),Hu=(function(){function e(i){var r=this;this._rng=void 0,this._patch=void 0,this._cache={},this.next=function(){return r._rng.next()},this.float=function(n,o){return r.uniform(n,o)()},this.int=function(n,o){return r.uniformInt(n,o)()},this.integer=function(n,o){return r.uniformInt(n,o)()},this.bool=function(){return r.uniformBoolean()()},this.boolean=function(){return r.uniformBoolean()()},this.uniform=function(n,o){return r._memoize("uniform",QA,n,o)},this.uniformInt=function(n,o){return r._memoize("uniformInt",ew,n,o)},this.uniformBoolean=function(){return r._memoize("uniformBoolean",tw)},this.normal=function(n,o){return iw(r,n,o)},this.logNormal=function(n,o){return rw(r,n,o)},this.bernoulli=function(n){return nw(r,n)},this.binomial=function(n,o){return ow(r,n,o)},this.geometric=function(n){return sw(r,n)},this.poisson=function(n){return uw(r,n)},this.exponential=function(n){return fw(r,n)},this.irwinHall=function(n){return dw(r,n)},this.bates=function(n){return hw(r,n)},this.pareto=function(n){return pw(r,n)},i&&i instanceof sa?this.use(i):this.use(new mw),this._cache={}}var t=e.prototype;return t.clone=function(){var r=[].slice.call(arguments);return r.length?new e(c0.apply(void 0,r)):new e(this.rng.clone())},t.use=function(){this._rng=c0.apply(void 0,[].slice.call(arguments))},t.patch=function(){if(this._patch)throw new Error("Math.random already patched");this._patch=Math.random,Math.random=this.uniform()},t.unpatch=function(){this._patch&&(Math.random=this._patch,delete this._patch)},t.choice=function(r){if(!Array.isArray(r))throw new Error("Random.choice expected input to be an array, got "+typeof r);var n=r?.length;if(n>0){var o=this.uniformInt(0,n-1)();return r[o]}else return},t._memoize=function(r,n){var o=[].slice.call(arguments,2),s=""+o.join(";"),a=this._cache[r];return(a===void 0||a.key!==s)&&(a={key:s,distribution:n.apply(void 0,[this].concat(o))},this._cache[r]=a),a.distribution},Wu(e,[{key:"rng",get:function(){return this._rng}}]),e})(),NB=new Hu;re();function Oi(e,t){if(!e){let i=new Error(t||"shadertools: assertion failed.");throw Error.captureStackTrace?.(i,Oi),i}}var Vu={number:{type:"number",validate(e,t){return Number.isFinite(e)&&typeof t=="object"&&(t.max===void 0||e<=t.max)&&(t.min===void 0||e>=t.min)}},array:{type:"array",validate(e,t){return Array.isArray(e)||ArrayBuffer.isView(e)}}};function h0(e){let t={};for(let[i,r]of Object.entries(e))t[i]=gw(r);return t}function gw(e){let t=d0(e);if(t!=="object")return{value:e,...Vu[t],type:t};if(typeof e=="object")return e?e.type!==void 0?{...e,...Vu[e.type],type:e.type}:e.value===void 0?{type:"object",value:e}:(t=d0(e.value),{...e,...Vu[t],type:t}):{type:"object",value:null};throw new Error("props")}function d0(e){return Array.isArray(e)||ArrayBuffer.isView(e)?"array":typeof e}var p0=`#ifdef MODULE_LOGDEPTH
  logdepth_adjustPosition(gl_Position);
#endif
`,m0=`#ifdef MODULE_MATERIAL
  fragColor = material_filterColor(fragColor);
#endif

#ifdef MODULE_LIGHTING
  fragColor = lighting_filterColor(fragColor);
#endif

#ifdef MODULE_FOG
  fragColor = fog_filterColor(fragColor);
#endif

#ifdef MODULE_PICKING
  fragColor = picking_filterHighlightColor(fragColor);
  fragColor = picking_filterPickingColor(fragColor);
#endif

#ifdef MODULE_LOGDEPTH
  logdepth_setFragDepth();
#endif
`;var xw={vertex:p0,fragment:m0},g0=/void\s+main\s*\([^)]*\)\s*\{\n?/,x0=/}\n?[^{}]*$/,$u=[],Mn="__LUMA_INJECT_DECLARATIONS__";function _0(e){let t={vertex:{},fragment:{}};for(let i in e){let r=e[i],n=_w(i);typeof r=="string"&&(r={order:0,injection:r}),t[n][i]=r}return t}function _w(e){let t=e.slice(0,2);switch(t){case"vs":return"vertex";case"fs":return"fragment";default:throw new Error(t)}}function Dn(e,t,i,r=!1){let n=t==="vertex";for(let o in i){let s=i[o];s.sort((l,c)=>l.order-c.order),$u.length=s.length;for(let l=0,c=s.length;l<c;++l)$u[l]=s[l].injection;let a=`${$u.join(`
`)}
`;switch(o){case"vs:#decl":n&&(e=e.replace(Mn,a));break;case"vs:#main-start":n&&(e=e.replace(g0,l=>l+a));break;case"vs:#main-end":n&&(e=e.replace(x0,l=>a+l));break;case"fs:#decl":n||(e=e.replace(Mn,a));break;case"fs:#main-start":n||(e=e.replace(g0,l=>l+a));break;case"fs:#main-end":n||(e=e.replace(x0,l=>a+l));break;default:e=e.replace(o,l=>l+a)}}return e=e.replace(Mn,""),r&&(e=e.replace(/\}\s*$/,o=>o+xw[t])),e}function br(e){e.map(t=>yw(t))}function yw(e){if(e.instance)return;br(e.dependencies||[]);let{propTypes:t={},deprecations:i=[],inject:r={}}=e,n={normalizedInjections:_0(r),parsedDeprecations:bw(i)};t&&(n.propValidators=h0(t)),e.instance=n;let o={};t&&(o=Object.entries(t).reduce((s,[a,l])=>{let c=l?.value;return c&&(s[a]=c),s},{})),e.defaultUniforms={...e.defaultUniforms,...o}}function Xu(e,t,i){e.deprecations?.forEach(r=>{r.regex?.test(t)&&(r.deprecated?i.deprecated(r.old,r.new)():i.removed(r.old,r.new)())})}function bw(e){return e.forEach(t=>{t.type==="function"?t.regex=new RegExp(`\\b${t.old}\\(`):t.regex=new RegExp(`${t.type} ${t.old};`)}),e}function Sr(e){br(e);let t={},i={};y0({modules:e,level:0,moduleMap:t,moduleDepth:i});let r=Object.keys(i).sort((n,o)=>i[o]-i[n]).map(n=>t[n]);return br(r),r}function y0(e){let{modules:t,level:i,moduleMap:r,moduleDepth:n}=e;if(i>=5)throw new Error("Possible loop in shader dependency graph");for(let o of t)r[o.name]=o,(n[o.name]===void 0||n[o.name]<i)&&(n[o.name]=i);for(let o of t)o.dependencies&&y0({modules:o.dependencies,level:i+1,moduleMap:r,moduleDepth:n})}var Sw=/^(?:uniform\s+)?(?:(?:lowp|mediump|highp)\s+)?[A-Za-z0-9_]+(?:<[^>]+>)?\s+([A-Za-z0-9_]+)(?:\s*\[[^\]]+\])?\s*;/,vw=/((?:layout\s*\([^)]*\)\s*)*)uniform\s+([A-Za-z_][A-Za-z0-9_]*)\s*\{([\s\S]*?)\}\s*([A-Za-z_][A-Za-z0-9_]*)?\s*;/g;function S0(e){return`${e.name}Uniforms`}function Tw(e,t){let i=t==="wgsl"?e.source:t==="vertex"?e.vs:e.fs;if(!i)return null;let r=S0(e);return Cw(i,t==="wgsl"?"wgsl":"glsl",r)}function Pw(e,t){let i=Object.keys(e.uniformTypes||{});if(!i.length)return null;let r=Tw(e,t);return r?{moduleName:e.name,uniformBlockName:S0(e),stage:t,expectedUniformNames:i,actualUniformNames:r,matches:Rw(i,r)}:null}function v0(e,t,i={}){let r=Pw(e,t);if(!r||r.matches)return r;let n=Ew(r);return i.log?.error?.(n,r)(),i.throwOnError!==!1&&Oi(!1,n),r}function T0(e){let t=[],i=Iw(e);for(let r of i.matchAll(vw)){let n=r[1]?.trim()||null;t.push({blockName:r[2],body:r[3],instanceName:r[4]||null,layoutQualifier:n,hasLayoutQualifier:!!n,isStd140:!!(n&&/\blayout\s*\([^)]*\bstd140\b[^)]*\)/.exec(n))})}return t}function P0(e,t,i,r){let n=T0(e).filter(s=>!s.isStd140),o=new Set;for(let s of n){if(o.has(s.blockName))continue;o.add(s.blockName);let a=r?.label?`${r.label} `:"",l=s.hasLayoutQualifier?`declares ${Mw(s.layoutQualifier)} instead of layout(std140)`:"does not declare layout(std140)",c=`${a}${t} shader uniform block ${s.blockName} ${l}. luma.gl host-side shader block packing assumes explicit layout(std140) for GLSL uniform blocks. Add \`layout(std140)\` to the block declaration.`;i?.warn?.(c,s)()}return n}function Cw(e,t,i){let r=t==="wgsl"?Aw(e,i):ww(e,i);if(!r)return null;let n=[];for(let o of r.split(`
`)){let s=o.replace(/\/\/.*$/,"").trim();if(!s||s.startsWith("#"))continue;let a=t==="wgsl"?s.match(/^([A-Za-z0-9_]+)\s*:/):s.match(Sw);a&&n.push(a[1])}return n}function Aw(e,t){let i=new RegExp(`\\bstruct\\s+${t}\\b`,"m").exec(e);if(!i)return null;let r=e.indexOf("{",i.index);if(r<0)return null;let n=0;for(let o=r;o<e.length;o++){let s=e[o];if(s==="{"){n++;continue}if(s==="}"&&(n--,n===0))return e.slice(r+1,o)}return null}function ww(e,t){return T0(e).find(r=>r.blockName===t)?.body||null}function Rw(e,t){if(e.length!==t.length)return!1;for(let i=0;i<e.length;i++)if(e[i]!==t[i])return!1;return!0}function Ew(e){let{expectedUniformNames:t,actualUniformNames:i}=e,r=t.filter(a=>!i.includes(a)),n=i.filter(a=>!t.includes(a)),o=[`Expected ${t.length} fields, found ${i.length}.`],s=Dw(t,i);return s&&o.push(s),r.length&&o.push(`Missing from shader block (${r.length}): ${b0(r)}.`),n.length&&o.push(`Unexpected in shader block (${n.length}): ${b0(n)}.`),t.length<=12&&i.length<=12&&(r.length||n.length)&&(o.push(`Expected: ${t.join(", ")}.`),o.push(`Actual: ${i.join(", ")}.`)),`${e.moduleName}: ${e.stage} shader uniform block ${e.uniformBlockName} does not match module.uniformTypes. ${o.join(" ")}`}function Iw(e){return e.replace(/\/\*[\s\S]*?\*\//g,"").replace(/\/\/.*$/gm,"")}function Mw(e){return e.replace(/\s+/g," ").trim()}function Dw(e,t){let i=Math.min(e.length,t.length);for(let r=0;r<i;r++)if(e[r]!==t[r])return`First mismatch at field ${r+1}: expected ${e[r]}, found ${t[r]}.`;return e.length>t.length?`Shader block ends after field ${t.length}; expected next field ${e[t.length]}.`:t.length>e.length?`Shader block has extra field ${t.length}: ${t[e.length]}.`:null}function b0(e,t=8){if(e.length<=t)return e.join(", ");let i=e.length-t;return`${e.slice(0,t).join(", ")}, ... (${i} more)`}function C0(e){switch(e?.gpu.toLowerCase()){case"apple":return`#define APPLE_GPU
// Apple optimizes away the calculation necessary for emulated fp64
#define LUMA_FP64_CODE_ELIMINATION_WORKAROUND 1
#define LUMA_FP32_TAN_PRECISION_WORKAROUND 1
// Intel GPU doesn't have full 32 bits precision in same cases, causes overflow
#define LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND 1
`;case"nvidia":return`#define NVIDIA_GPU
// Nvidia optimizes away the calculation necessary for emulated fp64
#define LUMA_FP64_CODE_ELIMINATION_WORKAROUND 1
`;case"intel":return`#define INTEL_GPU
// Intel optimizes away the calculation necessary for emulated fp64
#define LUMA_FP64_CODE_ELIMINATION_WORKAROUND 1
// Intel's built-in 'tan' function doesn't have acceptable precision
#define LUMA_FP32_TAN_PRECISION_WORKAROUND 1
// Intel GPU doesn't have full 32 bits precision in same cases, causes overflow
#define LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND 1
`;case"amd":return`#define AMD_GPU
`;default:return`#define DEFAULT_GPU
// Prevent driver from optimizing away the calculation necessary for emulated fp64
#define LUMA_FP64_CODE_ELIMINATION_WORKAROUND 1
// Headless Chrome's software shader 'tan' function doesn't have acceptable precision
#define LUMA_FP32_TAN_PRECISION_WORKAROUND 1
// If the GPU doesn't have full 32 bits precision, will causes overflow
#define LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND 1
`}}function w0(e,t){if(Number(e.match(/^#version[ \t]+(\d+)/m)?.[1]||100)!==300)throw new Error("luma.gl v9 only supports GLSL 3.00 shader sources");switch(t){case"vertex":return e=A0(e,kw),e;case"fragment":return e=A0(e,Fw),e;default:throw new Error(t)}}var R0=[[/^(#version[ \t]+(100|300[ \t]+es))?[ \t]*\n/,`#version 300 es
`],[/\btexture(2D|2DProj|Cube)Lod(EXT)?\(/g,"textureLod("],[/\btexture(2D|2DProj|Cube)(EXT)?\(/g,"texture("]],kw=[...R0,[Yu("attribute"),"in $1"],[Yu("varying"),"out $1"]],Fw=[...R0,[Yu("varying"),"in $1"]];function A0(e,t){for(let[i,r]of t)e=e.replace(i,r);return e}function Yu(e){return new RegExp(`\\b${e}[ \\t]+(\\w+[ \\t]+\\w+(\\[\\w+\\])?;)`,"g")}function ju(e,t){let i="";for(let r in e){let n=e[r];if(i+=`void ${n.signature} {
`,n.header&&(i+=`  ${n.header}`),t[r]){let o=t[r];o.sort((s,a)=>s.order-a.order);for(let s of o)i+=`  ${s.injection}
`}n.footer&&(i+=`  ${n.footer}`),i+=`}
`}return i}function Gu(e){let t={vertex:{},fragment:{}};for(let i of e){let r,n;typeof i!="string"?(r=i,n=r.hook):(r={},n=i),n=n.trim();let[o,s]=n.split(":"),a=n.replace(/\(.+/,""),l=Object.assign(r,{signature:s});switch(o){case"vs":t.vertex[a]=l;break;case"fs":t.fragment[a]=l;break;default:throw new Error(o)}}return t}function E0(e,t){return{name:Nw(e,t),language:"glsl",version:Bw(e)}}function Nw(e,t="unnamed"){let r=/#define[^\S\r\n]*SHADER_NAME[^\S\r\n]*([A-Za-z0-9_-]+)\s*/.exec(e);return r?r[1]:t}function Bw(e){let t=100,i=e.match(/[^\s]+/g);if(i&&i.length>=2&&i[0]==="#version"){let r=parseInt(i[1],10);Number.isFinite(r)&&(t=r)}if(t!==100&&t!==300)throw new Error(`Invalid GLSL version ${t}`);return t}var qe="(?:var<\\s*(uniform|storage(?:\\s*,\\s*[A-Za-z_][A-Za-z0-9_]*)?)\\s*>|var)\\s+([A-Za-z_][A-Za-z0-9_]*)";var vr=[new RegExp(`@binding\\(\\s*(auto|\\d+)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${qe}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(auto|\\d+)\\s*\\)\\s*${qe}`,"g")],aa=[new RegExp(`@binding\\(\\s*(auto|\\d+)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${qe}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(auto|\\d+)\\s*\\)\\s*${qe}`,"g")],I0=[new RegExp(`@binding\\(\\s*(\\d+)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${qe}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(\\d+)\\s*\\)\\s*${qe}`,"g")],Ow=[new RegExp(`@binding\\(\\s*(auto)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${qe}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(auto)\\s*\\)\\s*${qe}`,"g"),new RegExp(`@binding\\(\\s*(auto)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)(?:[\\s\\n\\r]*@[A-Za-z_][^\\n\\r]*)*[\\s\\n\\r]*${qe}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(auto)\\s*\\)(?:[\\s\\n\\r]*@[A-Za-z_][^\\n\\r]*)*[\\s\\n\\r]*${qe}`,"g")];function la(e){let t=e.split(""),i=0,r=0,n=!1,o=!1,s=!1;for(;i<e.length;){let a=e[i],l=e[i+1];if(o){s?s=!1:a==="\\"?s=!0:a==='"'&&(o=!1),i++;continue}if(n){a===`
`||a==="\r"?n=!1:t[i]=" ",i++;continue}if(r>0){if(a==="/"&&l==="*"){t[i]=" ",t[i+1]=" ",r++,i+=2;continue}if(a==="*"&&l==="/"){t[i]=" ",t[i+1]=" ",r--,i+=2;continue}a!==`
`&&a!=="\r"&&(t[i]=" "),i++;continue}if(a==='"'){o=!0,i++;continue}if(a==="/"&&l==="/"){t[i]=" ",t[i+1]=" ",n=!0,i+=2;continue}if(a==="/"&&l==="*"){t[i]=" ",t[i+1]=" ",r=1,i+=2;continue}i++}return t.join("")}function Ui(e,t){let i=la(e),r=[];for(let n of t){n.lastIndex=0;let o;for(o=n.exec(i);o;){let s=n===t[0],a=o.index,l=o[0].length;r.push({match:e.slice(a,a+l),index:a,length:l,bindingToken:o[s?1:2],groupToken:o[s?2:1],accessDeclaration:o[3]?.trim(),name:o[4]}),o=n.exec(i)}}return r.sort((n,o)=>n.index-o.index)}function Ku(e,t,i){let r=Ui(e,t);if(!r.length)return e;let n="",o=0;for(let s of r)n+=e.slice(o,s.index),n+=i(s),o=s.index+s.length;return n+=e.slice(o),n}function qu(e){return/@binding\(\s*auto\s*\)/.test(la(e))}function M0(e,t){return Ui(e,t===vr||t===aa?Ow:t).find(r=>r.bindingToken==="auto")}var D0=[new RegExp(`@binding\\(\\s*(\\d+)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${qe}\\s*:\\s*([^;]+);`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(\\d+)\\s*\\)\\s*${qe}\\s*:\\s*([^;]+);`,"g")];function ca(e,t=[]){let i=la(e),r=new Map;for(let o of t)r.set(k0(o.name,o.group,o.location),o.moduleName);let n=[];for(let o of D0){o.lastIndex=0;let s;for(s=o.exec(i);s;){let a=o===D0[0],l=Number(s[a?1:2]),c=Number(s[a?2:1]),u=s[3]?.trim(),f=s[4],d=s[5].trim(),h=r.get(k0(f,c,l));n.push(Uw({name:f,group:c,binding:l,owner:h?"module":"application",moduleName:h,accessDeclaration:u,resourceType:d})),s=o.exec(i)}}return n.sort((o,s)=>o.group!==s.group?o.group-s.group:o.binding!==s.binding?o.binding-s.binding:o.name.localeCompare(s.name))}function Uw(e){let t={name:e.name,group:e.group,binding:e.binding,owner:e.owner,kind:"unknown",moduleName:e.moduleName,resourceType:e.resourceType};if(e.accessDeclaration){let i=e.accessDeclaration.split(",").map(r=>r.trim());if(i[0]==="uniform")return{...t,kind:"uniform",access:"uniform"};if(i[0]==="storage"){let r=i[1]||"read_write";return{...t,kind:r==="read"?"read-only-storage":"storage",access:r}}}return e.resourceType==="sampler"||e.resourceType==="sampler_comparison"?{...t,kind:"sampler",samplerKind:e.resourceType==="sampler_comparison"?"comparison":"filtering"}:e.resourceType.startsWith("texture_storage_")?{...t,kind:"storage-texture",access:zw(e.resourceType),viewDimension:F0(e.resourceType)}:e.resourceType.startsWith("texture_")?{...t,kind:"texture",viewDimension:F0(e.resourceType),sampleType:Lw(e.resourceType),multisampled:e.resourceType.startsWith("texture_multisampled_")}:t}function k0(e,t,i){return`${t}:${i}:${e}`}function F0(e){if(e.includes("cube_array"))return"cube-array";if(e.includes("2d_array"))return"2d-array";if(e.includes("cube"))return"cube";if(e.includes("3d"))return"3d";if(e.includes("2d"))return"2d";if(e.includes("1d"))return"1d"}function Lw(e){if(e.startsWith("texture_depth_"))return"depth";if(e.includes("<i32>"))return"sint";if(e.includes("<u32>"))return"uint";if(e.includes("<f32>"))return"float"}function zw(e){return/,\s*([A-Za-z_][A-Za-z0-9_]*)\s*>$/.exec(e)?.[1]}var Zu=`

${Mn}
`,kn=100,Ww=`precision highp float;
`;function U0(e){let t=Sr(e.modules||[]),{source:i,bindingAssignments:r}=Hw(e.platformInfo,{...e,source:e.source,stage:"vertex",modules:t});return{source:i,getUniforms:z0(t),bindingAssignments:r,bindingTable:ca(i,r)}}function L0(e){let{vs:t,fs:i}=e,r=Sr(e.modules||[]);return{vs:N0(e.platformInfo,{...e,source:t,stage:"vertex",modules:r}),fs:N0(e.platformInfo,{...e,source:i,stage:"fragment",modules:r}),getUniforms:z0(r)}}function Hw(e,t){let{source:i,stage:r,modules:n,hookFunctions:o=[],inject:s={},log:a}=t;Oi(typeof i=="string","shader source must be a string");let l=i,c="",u=Gu(o),f={},d={},h={};for(let T in s){let _=typeof s[T]=="string"?{injection:s[T],order:0}:s[T],w=/^(v|f)s:(#)?([\w-]+)$/.exec(T);if(w){let A=w[2],I=w[3];A?I==="decl"?d[T]=[_]:h[T]=[_]:f[T]=[_]}else h[T]=[_]}let m=n,g=Xw(l),b=$w(g.source),x=Kw(m,t._bindingRegistry,b),v=[];for(let T of m){a&&Xu(T,l,a);let _=Yw(W0(T,"wgsl",a),T,{usedBindingsByGroup:b,bindingRegistry:t._bindingRegistry,reservedBindingKeysByGroup:x});v.push(..._.bindingAssignments);let w=_.source;c+=w;let A=T.injections?.[r]||{};for(let I in A){let z=/^(v|f)s:#([\w-]+)$/.exec(I);if(z){let U=z[2]==="decl"?d:h;U[I]=U[I]||[],U[I].push(A[I])}else f[I]=f[I]||[],f[I].push(A[I])}}return c+=Zu,c=Dn(c,r,d),c+=ju(u[r],f),c+=e2(v),c+=g.source,c=Dn(c,r,h),Jw(c),{source:c,bindingAssignments:v}}function N0(e,t){let{source:i,stage:r,language:n="glsl",modules:o,defines:s={},hookFunctions:a=[],inject:l={},prologue:c=!0,log:u}=t;Oi(typeof i=="string","shader source must be a string");let f=n==="glsl"?E0(i).version:-1,d=e.shaderLanguageVersion,h=f===100?"#version 100":"#version 300 es",g=i.split(`
`).slice(1).join(`
`),b={};o.forEach(A=>{Object.assign(b,A.defines)}),Object.assign(b,s);let x="";switch(n){case"wgsl":break;case"glsl":x=c?`${h}

// ----- PROLOGUE -------------------------
${`#define SHADER_TYPE_${r.toUpperCase()}`}

${C0(e)}
${r==="fragment"?Ww:""}

// ----- APPLICATION DEFINES -------------------------

${Vw(b)}

`:`${h}
`;break}let v=Gu(a),T={},_={},w={};for(let A in l){let I=typeof l[A]=="string"?{injection:l[A],order:0}:l[A],z=/^(v|f)s:(#)?([\w-]+)$/.exec(A);if(z){let N=z[2],U=z[3];N?U==="decl"?_[A]=[I]:w[A]=[I]:T[A]=[I]}else w[A]=[I]}for(let A of o){u&&Xu(A,g,u);let I=W0(A,r,u);x+=I;let z=A.instance?.normalizedInjections[r]||{};for(let N in z){let U=/^(v|f)s:#([\w-]+)$/.exec(N);if(U){let O=U[2]==="decl"?_:w;O[N]=O[N]||[],O[N].push(z[N])}else T[N]=T[N]||[],T[N].push(z[N])}}return x+="// ----- MAIN SHADER SOURCE -------------------------",x+=Zu,x=Dn(x,r,_),x+=ju(v[r],T),x+=g,x=Dn(x,r,w),n==="glsl"&&f!==d&&(x=w0(x,r)),n==="glsl"&&P0(x,r,u),x.trim()}function z0(e){return function(i){let r={};for(let n of e){let o=n.getUniforms?.(i,r);Object.assign(r,o)}return r}}function Vw(e={}){let t="";for(let i in e){let r=e[i];(r||Number.isFinite(r))&&(t+=`#define ${i.toUpperCase()} ${e[i]}
`)}return t}function W0(e,t,i){let r;switch(t){case"vertex":r=e.vs||"";break;case"fragment":r=e.fs||"";break;case"wgsl":r=e.source||"";break;default:Oi(!1)}if(!e.name)throw new Error("Shader module must have a name");v0(e,t,{log:i});let n=e.name.toUpperCase().replace(/[^0-9a-z]/gi,"_"),o=`// ----- MODULE ${e.name} ---------------

`;return t!=="wgsl"&&(o+=`#define MODULE_${n}
`),o+=`${r}
`,o}function $w(e){let t=new Map;for(let i of Ui(e,I0)){let r=Number(i.bindingToken),n=Number(i.groupToken);Qu(n,r,i.name),Tr(t,n,r,`application binding "${i.name}"`)}return t}function Xw(e){let t=Ui(e,aa),i=new Map;for(let o of t){if(o.bindingToken==="auto")continue;let s=Number(o.bindingToken),a=Number(o.groupToken);Qu(a,s,o.name),Tr(i,a,s,`application binding "${o.name}"`)}let r={sawSupportedBindingDeclaration:t.length>0},n=Ku(e,aa,o=>Gw(o,i,r));if(qu(e)&&!r.sawSupportedBindingDeclaration)throw new Error('Unsupported @binding(auto) declaration form in application WGSL. Use adjacent "@group(N)" and "@binding(auto)" decorators followed by a bindable "var" declaration.');return{source:n}}function Yw(e,t,i){let r=[],o={sawSupportedBindingDeclaration:Ui(e,vr).length>0,nextHintedBindingLocation:typeof t.firstBindingSlot=="number"?t.firstBindingSlot:null},s=Ku(e,vr,a=>jw(a,{module:t,context:i,bindingAssignments:r,relocationState:o}));if(qu(e)&&!o.sawSupportedBindingDeclaration)throw new Error(`Unsupported @binding(auto) declaration form in module "${t.name}". Use adjacent "@group(N)" and "@binding(auto)" decorators followed by a bindable "var" declaration.`);return{source:s,bindingAssignments:r}}function jw(e,t){let{module:i,context:r,bindingAssignments:n,relocationState:o}=t,{match:s,bindingToken:a,groupToken:l,name:c}=e,u=Number(l);if(a==="auto"){let d=H0(u,i.name,c),h=r.bindingRegistry?.get(d),m=h!==void 0?h:o.nextHintedBindingLocation===null?O0(u,r.usedBindingsByGroup):O0(u,r.usedBindingsByGroup,o.nextHintedBindingLocation);return B0(i.name,u,m,c),h!==void 0&&qw(r.reservedBindingKeysByGroup,u,m,d)?(n.push({moduleName:i.name,name:c,group:u,location:m}),s.replace(/@binding\(\s*auto\s*\)/,`@binding(${m})`)):(Tr(r.usedBindingsByGroup,u,m,`module "${i.name}" binding "${c}"`),r.bindingRegistry?.set(d,m),n.push({moduleName:i.name,name:c,group:u,location:m}),o.nextHintedBindingLocation!==null&&h===void 0&&(o.nextHintedBindingLocation=m+1),s.replace(/@binding\(\s*auto\s*\)/,`@binding(${m})`))}let f=Number(a);return B0(i.name,u,f,c),Tr(r.usedBindingsByGroup,u,f,`module "${i.name}" binding "${c}"`),n.push({moduleName:i.name,name:c,group:u,location:f}),s}function Gw(e,t,i){let{match:r,bindingToken:n,groupToken:o,name:s}=e,a=Number(o);if(n==="auto"){let l=Qw(a,t);return Qu(a,l,s),Tr(t,a,l,`application binding "${s}"`),r.replace(/@binding\(\s*auto\s*\)/,`@binding(${l})`)}return i.sawSupportedBindingDeclaration=!0,r}function Kw(e,t,i){let r=new Map;if(!t)return r;for(let n of e)for(let o of Zw(n)){let s=H0(o.group,n.name,o.name),a=t.get(s);if(a!==void 0){let l=r.get(o.group)||new Map,c=l.get(a);if(c&&c!==s)throw new Error(`Duplicate WGSL binding reservation for modules "${c}" and "${s}": group ${o.group}, binding ${a}.`);Tr(i,o.group,a,`registered module binding "${s}"`),l.set(a,s),r.set(o.group,l)}}return r}function qw(e,t,i,r){let n=e.get(t);if(!n)return!1;let o=n.get(i);if(!o)return!1;if(o!==r)throw new Error(`Registered module binding "${r}" collided with "${o}": group ${t}, binding ${i}.`);return!0}function Zw(e){let t=[],i=e.source||"";for(let r of Ui(i,vr))t.push({name:r.name,group:Number(r.groupToken)});return t}function Qu(e,t,i){if(e===0&&t>=kn)throw new Error(`Application binding "${i}" in group 0 uses reserved binding ${t}. Application-owned explicit group-0 bindings must stay below ${kn}.`)}function B0(e,t,i,r){if(t===0&&i<kn)throw new Error(`Module "${e}" binding "${r}" in group 0 uses reserved application binding ${i}. Module-owned explicit group-0 bindings must be ${kn} or higher.`)}function Tr(e,t,i,r){let n=e.get(t)||new Set;if(n.has(i))throw new Error(`Duplicate WGSL binding assignment for ${r}: group ${t}, binding ${i}.`);n.add(i),e.set(t,n)}function O0(e,t,i){let r=t.get(e)||new Set,n=i??(e===0?kn:r.size>0?Math.max(...r)+1:0);for(;r.has(n);)n++;return n}function Qw(e,t){let i=t.get(e)||new Set,r=0;for(;i.has(r);)r++;return r}function Jw(e){let t=M0(e,vr);if(!t)return;let i=t2(e,t.index);throw i?new Error(`Unresolved @binding(auto) for module "${i}" binding "${t.name}" remained in assembled WGSL source.`):i2(e,t.index)?new Error(`Unresolved @binding(auto) for application binding "${t.name}" remained in assembled WGSL source.`):new Error(`Unresolved @binding(auto) remained in assembled WGSL source near "${r2(t.match)}".`)}function e2(e){if(e.length===0)return"";let t=`// ----- MODULE WGSL BINDING ASSIGNMENTS ---------------
`;for(let i of e)t+=`// ${i.moduleName}.${i.name} -> @group(${i.group}) @binding(${i.location})
`;return t+=`
`,t}function H0(e,t,i){return`${e}:${t}:${i}`}function t2(e,t){let i=/^\/\/ ----- MODULE ([^\n]+) ---------------$/gm,r,n;for(n=i.exec(e);n&&n.index<=t;)r=n[1],n=i.exec(e);return r}function i2(e,t){let i=e.indexOf(Zu);return i>=0?t>i:!0}function r2(e){return e.replace(/\s+/g," ").trim()}var Ju="([a-zA-Z_][a-zA-Z0-9_]*)",n2=new RegExp(`^\\s*\\#\\s*ifdef\\s*${Ju}\\s*$`),o2=new RegExp(`^\\s*\\#\\s*ifndef\\s*${Ju}\\s*(?:\\/\\/.*)?$`),s2=/^\s*\#\s*else\s*(?:\/\/.*)?$/,a2=/^\s*\#\s*endif\s*$/,l2=new RegExp(`^\\s*\\#\\s*ifdef\\s*${Ju}\\s*(?:\\/\\/.*)?$`),c2=/^\s*\#\s*endif\s*(?:\/\/.*)?$/;function V0(e,t){let i=e.split(`
`),r=[],n=[],o=!0;for(let s of i){let a=s.match(l2)||s.match(n2),l=s.match(o2),c=s.match(s2),u=s.match(c2)||s.match(a2);if(a||l){let f=(a||l)?.[1],d=!!t?.defines?.[f],h=a?d:!d,m=o&&h;n.push({parentActive:o,branchTaken:h,active:m}),o=m}else if(c){let f=n[n.length-1];if(!f)throw new Error("Encountered #else without matching #ifdef or #ifndef");f.active=f.parentActive&&!f.branchTaken,f.branchTaken=!0,o=f.active}else u?(n.pop(),o=n.length?n[n.length-1].active:!0):o&&r.push(s)}if(n.length>0)throw new Error("Unterminated conditional block in shader source");return r.join(`
`)}var Fn=class e{static defaultShaderAssembler;_hookFunctions=[];_defaultModules=[];_wgslBindingRegistry=new Map;static getDefaultShaderAssembler(){return e.defaultShaderAssembler=e.defaultShaderAssembler||new e,e.defaultShaderAssembler}addDefaultModule(t){this._defaultModules.find(i=>i.name===(typeof t=="string"?t:t.name))||this._defaultModules.push(t)}removeDefaultModule(t){let i=typeof t=="string"?t:t.name;this._defaultModules=this._defaultModules.filter(r=>r.name!==i)}addShaderHook(t,i){i&&(t=Object.assign(i,{hook:t})),this._hookFunctions.push(t)}assembleWGSLShader(t){let i=this._getModuleList(t.modules),r=this._hookFunctions,{source:n,getUniforms:o,bindingAssignments:s}=U0({...t,source:t.source,_bindingRegistry:this._wgslBindingRegistry,modules:i,hookFunctions:r}),a={...i.reduce((c,u)=>(Object.assign(c,u.defines),c),{}),...t.defines},l=t.platformInfo.shaderLanguage==="wgsl"?V0(n,{defines:a}):n;return{source:l,getUniforms:o,modules:i,bindingAssignments:s,bindingTable:ca(l,s)}}assembleGLSLShaderPair(t){let i=this._getModuleList(t.modules),r=this._hookFunctions;return{...L0({...t,vs:t.vs,fs:t.fs,modules:i,hookFunctions:r}),modules:i}}_getModuleList(t=[]){let i=new Array(this._defaultModules.length+t.length),r={},n=0;for(let o=0,s=this._defaultModules.length;o<s;++o){let a=this._defaultModules[o],l=a.name;i[n++]=a,r[l]=!0}for(let o=0,s=t.length;o<s;++o){let a=t[o],l=a.name;r[l]||(i[n++]=a,r[l]=!0)}return i.length=n,br(i),i}};re();var ef={};function Pr(e="id"){ef[e]=ef[e]||1;let t=ef[e]++;return`${e}-${t}`}var ua=class{id;userData={};topology;bufferLayout=[];vertexCount;indices;attributes;constructor(t){if(this.id=t.id||Pr("geometry"),this.topology=t.topology,this.indices=t.indices||null,this.attributes=t.attributes,this.vertexCount=t.vertexCount,this.bufferLayout=t.bufferLayout||[],this.indices&&!(this.indices.usage&L.INDEX))throw new Error("Index buffer must have INDEX usage")}destroy(){this.indices?.destroy();for(let t of Object.values(this.attributes))t.destroy()}getVertexCount(){return this.vertexCount}getAttributes(){return this.attributes}getIndexes(){return this.indices||null}_calculateVertexCount(t){return t.byteLength/12}};function $0(e,t){if(t instanceof ua)return t;let i=u2(e,t),{attributes:r,bufferLayout:n}=f2(e,t);return new ua({topology:t.topology||"triangle-list",bufferLayout:n,vertexCount:t.vertexCount,indices:i,attributes:r})}function u2(e,t){if(!t.indices)return;let i=t.indices.value;return e.createBuffer({usage:L.INDEX,data:i})}function f2(e,t){let i=[],r={};for(let[o,s]of Object.entries(t.attributes)){let a=o;switch(o){case"POSITION":a="positions";break;case"NORMAL":a="normals";break;case"TEXCOORD_0":a="texCoords";break;case"TEXCOORD_1":a="texCoords1";break;case"COLOR_0":a="colors";break}if(s){r[a]=e.createBuffer({data:s.value,id:`${o}-buffer`});let{value:l,size:c,normalized:u}=s;if(c===void 0)throw new Error(`Attribute ${o} is missing a size`);i.push({name:a,format:Yt.getVertexFormatFromAttribute(l,c,u)})}}let n=t._calculateVertexCount(t.attributes,t.indices);return{attributes:r,bufferLayout:i,vertexCount:n}}function X0(e,t){let i={},r="Values";if(e.attributes.length===0&&!e.varyings?.length)return{"No attributes or varyings":{[r]:"N/A"}};for(let n of e.attributes)if(n){let o=`${n.location} ${n.name}: ${n.type}`;i[`in ${o}`]={[r]:n.stepMode||"vertex"}}for(let n of e.varyings||[]){let o=`${n.location} ${n.name}`;i[`out ${o}`]={[r]:JSON.stringify(n)}}return i}var Y0="__debugFramebufferState";function G0(e,t,i){if(e.device.type!=="webgl")return;let r=p2(e.device);if(!r.flushing){if(g2(e)){d2(e,i,r);return}t&&m2(t)&&t.handle!==null&&(r.queuedFramebuffers.includes(t)||r.queuedFramebuffers.push(t))}}function d2(e,t,i){if(i.queuedFramebuffers.length===0)return;let r=e.device,{gl:n}=r,o=n.getParameter(36010),s=n.getParameter(36006),[a,l]=e.device.getDefaultCanvasContext().getDrawingBufferSize(),c=j0(t.top,8),u=j0(t.left,8);i.flushing=!0;try{for(let f of i.queuedFramebuffers){let[d,h,m,g,b]=h2({framebuffer:f,targetWidth:a,targetHeight:l,topPx:c,leftPx:u,minimap:t.minimap});n.bindFramebuffer(36008,f.handle),n.bindFramebuffer(36009,null),n.blitFramebuffer(0,0,f.width,f.height,d,h,m,g,16384,9728),c+=b+8}}finally{n.bindFramebuffer(36008,o),n.bindFramebuffer(36009,s),i.flushing=!1}}function h2(e){let{framebuffer:t,targetWidth:i,targetHeight:r,topPx:n,leftPx:o,minimap:s}=e,a=s?Math.max(Math.floor(i/4),1):i,l=s?Math.max(Math.floor(r/4),1):r,c=Math.min(a/t.width,l/t.height),u=Math.max(Math.floor(t.width*c),1),f=Math.max(Math.floor(t.height*c),1),d=o,h=Math.max(r-n-f,0),m=d+u,g=h+f;return[d,h,m,g,f]}function p2(e){return e.userData[Y0]||={flushing:!1,queuedFramebuffers:[]},e.userData[Y0]}function m2(e){return"colorAttachments"in e}function g2(e){let t=e.props.framebuffer;return!t||t.handle===null}function j0(e,t){if(!e)return t;let i=Number.parseInt(e,10);return Number.isFinite(i)?i:t}function fa(e,t,i){if(e===t)return!0;if(!i||!e||!t)return!1;if(Array.isArray(e)){if(!Array.isArray(t)||e.length!==t.length)return!1;for(let r=0;r<e.length;r++)if(!fa(e[r],t[r],i-1))return!1;return!0}if(Array.isArray(t))return!1;if(typeof e=="object"&&typeof t=="object"){let r=Object.keys(e),n=Object.keys(t);if(r.length!==n.length)return!1;for(let o of r)if(!t.hasOwnProperty(o)||!fa(e[o],t[o],i-1))return!1;return!0}return!1}re();var Cr=class{bufferLayouts;constructor(t){this.bufferLayouts=t}getBufferLayout(t){return this.bufferLayouts.find(i=>i.name===t)||null}getAttributeNamesForBuffer(t){return t.attributes?t.attributes?.map(i=>i.attribute):[t.name]}mergeBufferLayouts(t,i){let r=[...t];for(let n of i){let o=r.findIndex(s=>s.name===n.name);o<0?r.push(n):r[o]=n}return r}getBufferIndex(t){let i=this.bufferLayouts.findIndex(r=>r.name===t);return i===-1&&C.warn(`BufferLayout: Missing buffer for "${t}".`)(),i}};function K0(e,t){let i=1/0;for(let r of e){let n=t[r];n!==void 0&&(i=Math.min(i,n))}return i}function q0(e,t){let i=Object.fromEntries(e.attributes.map(n=>[n.name,n.location])),r=t.slice();return r.sort((n,o)=>{let s=n.attributes?n.attributes.map(u=>u.attribute):[n.name],a=o.attributes?o.attributes.map(u=>u.attribute):[o.name],l=K0(s,i),c=K0(a,i);return l-c}),r}function tf(e,t){if(!e||!t.some(r=>r.bindingLayout?.length))return e;let i={...e,bindings:e.bindings.map(r=>({...r}))};"attributes"in(e||{})&&(i.attributes=e?.attributes||[]);for(let r of t)for(let n of r.bindingLayout||[])for(let o of x2(n.name)){let s=i.bindings.find(a=>a.name===o);s?.group===0&&(s.group=n.group)}return i}function Z0(e){return!!(e.uniformTypes&&!_2(e.uniformTypes))}function x2(e){let t=new Set([e,`${e}Uniforms`]);return e.endsWith("Uniforms")||t.add(`${e}Sampler`),[...t]}function _2(e){for(let t in e)return!1;return!0}re();function Q0(e){return ArrayBuffer.isView(e)&&!(e instanceof DataView)}function J0(e){return Array.isArray(e)?e.length===0||typeof e[0]=="number":!1}function rf(e){return Q0(e)||J0(e)}function y2(e){return rf(e)||typeof e=="number"||typeof e=="boolean"}function e_(e,t={}){let i={bindings:{},uniforms:{}};return Object.keys(e).forEach(r=>{let n=e[r];Object.prototype.hasOwnProperty.call(t,r)||y2(n)?i.uniforms[r]=n:i.bindings[r]=n}),i}var da=class{options={disableWarnings:!1};modules;moduleUniforms;moduleBindings;constructor(t,i){Object.assign(this.options,i);let r=Sr(Object.values(t).filter(b2));for(let n of r)t[n.name]=n;C.log(1,"Creating ShaderInputs with modules",Object.keys(t))(),this.modules=t,this.moduleUniforms={},this.moduleBindings={};for(let[n,o]of Object.entries(t))o&&(this._addModule(o),o.name&&n!==o.name&&!this.options.disableWarnings&&C.warn(`Module name: ${n} vs ${o.name}`)())}destroy(){}setProps(t){for(let i of Object.keys(t)){let r=i,n=t[r]||{},o=this.modules[r];if(!o)this.options.disableWarnings||C.warn(`Module ${i} not found`)();else{let s=this.moduleUniforms[r],a=this.moduleBindings[r],l=o.getUniforms?.(n,s)||n,{uniforms:c,bindings:u}=e_(l,o.uniformTypes);this.moduleUniforms[r]=t_(s,c,o.uniformTypes),this.moduleBindings[r]={...a,...u}}}}getModules(){return Object.values(this.modules)}getUniformValues(){return this.moduleUniforms}getBindingValues(){let t={};for(let i of Object.values(this.moduleBindings))Object.assign(t,i);return t}getDebugTable(){let t={};for(let[i,r]of Object.entries(this.moduleUniforms))for(let[n,o]of Object.entries(r))t[`${i}.${n}`]={type:this.modules[i].uniformTypes?.[n],value:String(o)};return t}_addModule(t){let i=t.name;this.moduleUniforms[i]=t_({},t.defaultUniforms||{},t.uniformTypes),this.moduleBindings[i]={}}};function t_(e={},t={},i={}){let r={...e};for(let[n,o]of Object.entries(t))o!==void 0&&(r[n]=nf(e[n],o,i[n]));return r}function nf(e,t,i){if(!i||typeof i=="string")return Nn(t);if(Array.isArray(i)){if(of(t)||!Array.isArray(t))return Nn(t);let s=Array.isArray(e)&&!of(e)?[...e]:[],a=s.slice();for(let l=0;l<t.length;l++){let c=t[l];c!==void 0&&(a[l]=nf(s[l],c,i[0]))}return a}if(!sf(t))return Nn(t);let r=i,n=sf(e)?e:{},o={...n};for(let[s,a]of Object.entries(t))a!==void 0&&(o[s]=nf(n[s],a,r[s]));return o}function Nn(e){return ArrayBuffer.isView(e)?Array.prototype.slice.call(e):Array.isArray(e)?of(e)?e.slice():e.map(i=>i===void 0?void 0:Nn(i)):sf(e)?Object.fromEntries(Object.entries(e).map(([t,i])=>[t,i===void 0?void 0:Nn(i)])):e}function of(e){return ArrayBuffer.isView(e)||Array.isArray(e)&&(e.length===0||typeof e[0]=="number")}function sf(e){return!!e&&typeof e=="object"&&!Array.isArray(e)&&!ArrayBuffer.isView(e)}function b2(e){return!!e?.dependencies}re();re();var af={"+X":0,"-X":1,"+Y":2,"-Y":3,"+Z":4,"-Z":5};function Bn(e){return e?Array.isArray(e)?e[0]??null:e:null}function i_(e){let{dimension:t,data:i}=e;if(!i)return null;switch(t){case"1d":{let r=Bn(i);if(!r)return null;let{width:n}=On(r);return{width:n,height:1}}case"2d":{let r=Bn(i);return r?On(r):null}case"3d":case"2d-array":{if(!Array.isArray(i)||i.length===0)return null;let r=Bn(i[0]);return r?On(r):null}case"cube":{let r=Object.keys(i)[0]??null;if(!r)return null;let n=i[r],o=Bn(n);return o?On(o):null}case"cube-array":{if(!Array.isArray(i)||i.length===0)return null;let r=i[0],n=Object.keys(r)[0]??null;if(!n)return null;let o=Bn(r[n]);return o?On(o):null}default:return null}}function On(e){if(cr(e))return Zr(e);if(typeof e=="object"&&"width"in e&&"height"in e)return{width:e.width,height:e.height};throw new Error("Unsupported mip-level data")}function S2(e){return typeof e=="object"&&e!==null&&"data"in e&&"width"in e&&"height"in e}function v2(e){return ArrayBuffer.isView(e)}function lf(e){let{textureFormat:t,format:i}=e;if(t&&i&&t!==i)throw new Error(`Conflicting texture formats "${t}" and "${i}" provided for the same mip level`);return t??i}function r_(e){let t=af[e];if(t===void 0)throw new Error(`Invalid cube face: ${e}`);return t}function T2(e,t){return 6*e+r_(t)}function cf(e){throw new Error("setTexture1DData not supported in WebGL.")}function P2(e){return Array.isArray(e)?e:[e]}function Li(e,t,i,r){let n=P2(t),o=e,s=[];for(let a=0;a<n.length;a++){let l=n[a];if(cr(l))s.push({type:"external-image",image:l,z:o,mipLevel:a});else if(S2(l))s.push({type:"texture-data",data:l,textureFormat:lf(l),z:o,mipLevel:a});else if(v2(l)&&i)s.push({type:"texture-data",data:{data:l,width:Math.max(1,i.width>>a),height:Math.max(1,i.height>>a),...r?{format:r}:{}},textureFormat:r,z:o,mipLevel:a});else throw new Error("Unsupported 2D mip-level payload")}return s}function uf(e){let t=[];for(let i=0;i<e.length;i++)t.push(...Li(i,e[i]));return t}function ff(e){let t=[];for(let i=0;i<e.length;i++)t.push(...Li(i,e[i]));return t}function df(e){let t=[];for(let[i,r]of Object.entries(e)){let n=r_(i);t.push(...Li(n,r))}return t}function hf(e){let t=[];return e.forEach((i,r)=>{for(let[n,o]of Object.entries(i)){let s=T2(r,n);t.push(...Li(s,o))}}),t}var zi=class e{device;id;props;_texture=null;_sampler=null;_view=null;ready;isReady=!1;destroyed=!1;resolveReady=()=>{};rejectReady=()=>{};get texture(){if(!this._texture)throw new Error("Texture not initialized yet");return this._texture}get sampler(){if(!this._sampler)throw new Error("Sampler not initialized yet");return this._sampler}get view(){if(!this._view)throw new Error("View not initialized yet");return this._view}get[Symbol.toStringTag](){return"DynamicTexture"}toString(){let t=this._texture?.width??this.props.width??"?",i=this._texture?.height??this.props.height??"?";return`DynamicTexture:"${this.id}":${t}x${i}px:(${this.isReady?"ready":"loading..."})`}constructor(t,i){this.device=t;let r=Pr("dynamic-texture"),n=i;this.props={...e.defaultProps,id:r,...i,data:null},this.id=this.props.id,this.ready=new Promise((o,s)=>{this.resolveReady=o,this.rejectReady=s}),this.initAsync(n)}async initAsync(t){try{let i=await this._loadAllData(t);this._checkNotDestroyed();let r=i.data?C2({...i,width:t.width,height:t.height,format:t.format}):[],n="format"in t&&t.format!==void 0,o="usage"in t&&t.usage!==void 0,a=(()=>{if(this.props.width&&this.props.height)return{width:this.props.width,height:this.props.height};let g=i_(i);return g||{width:this.props.width||1,height:this.props.height||1}})();if(!a||a.width<=0||a.height<=0)throw new Error(`${this} size could not be determined or was zero`);let l=A2(this.device,r,a,{format:n?t.format:void 0}),c=l.format??this.props.format,u={...this.props,...a,format:c,mipLevels:1,data:void 0};this.device.isTextureFormatCompressed(c)&&!o&&(u.usage=B.SAMPLE|B.COPY_DST);let f=this.props.mipmaps&&!l.hasExplicitMipChain&&!this.device.isTextureFormatCompressed(c);if(this.device.type==="webgpu"&&f){let g=this.props.dimension==="3d"?B.SAMPLE|B.STORAGE|B.COPY_DST|B.COPY_SRC:B.SAMPLE|B.RENDER|B.COPY_DST|B.COPY_SRC;u.usage|=g}let d=this.device.getMipLevelCount(u.width,u.height),h=l.hasExplicitMipChain?l.mipLevels:this.props.mipLevels==="auto"?d:Math.max(1,Math.min(d,this.props.mipLevels??1)),m={...u,mipLevels:h};this._texture=this.device.createTexture(m),this._sampler=this.texture.sampler,this._view=this.texture.view,l.subresources.length&&this._setTextureSubresources(l.subresources),this.props.mipmaps&&!l.hasExplicitMipChain&&!f&&C.warn(`${this} skipping auto-generated mipmaps for compressed texture format`)(),f&&this.generateMipmaps(),this.isReady=!0,this.resolveReady(this.texture),C.info(0,`${this} created`)()}catch(i){let r=i instanceof Error?i:new Error(String(i));this.rejectReady(r)}}destroy(){this._texture&&(this._texture.destroy(),this._texture=null,this._sampler=null,this._view=null),this.destroyed=!0}generateMipmaps(){this.device.type==="webgl"?this.texture.generateMipmapsWebGL():this.device.type==="webgpu"?this.device.generateMipmapsWebGPU(this.texture):C.warn(`${this} mipmaps not supported on ${this.device.type}`)}setSampler(t={}){this._checkReady();let i=t instanceof ut?t:this.device.createSampler(t);this.texture.setSampler(i),this._sampler=i}async readBuffer(t={}){this.isReady||await this.ready;let i=t.width??this.texture.width,r=t.height??this.texture.height,n=t.depthOrArrayLayers??this.texture.depth,o=this.texture.computeMemoryLayout({width:i,height:r,depthOrArrayLayers:n}),s=this.device.createBuffer({byteLength:o.byteLength,usage:L.COPY_DST|L.MAP_READ});this.texture.readBuffer({...t,width:i,height:r,depthOrArrayLayers:n},s);let a=this.device.createFence();return await a.signaled,a.destroy(),s}async readAsync(t={}){this.isReady||await this.ready;let i=t.width??this.texture.width,r=t.height??this.texture.height,n=t.depthOrArrayLayers??this.texture.depth,o=this.texture.computeMemoryLayout({width:i,height:r,depthOrArrayLayers:n}),s=await this.readBuffer(t),a=await s.readAsync(0,o.byteLength);return s.destroy(),a.buffer}resize(t){if(this._checkReady(),t.width===this.texture.width&&t.height===this.texture.height)return!1;let i=this.texture;return this._texture=i.clone(t),this._sampler=this.texture.sampler,this._view=this.texture.view,i.destroy(),C.info(`${this} resized`),!0}getCubeFaceIndex(t){let i=af[t];if(i===void 0)throw new Error(`Invalid cube face: ${t}`);return i}getCubeArrayFaceIndex(t,i){return 6*t+this.getCubeFaceIndex(i)}setTexture1DData(t){if(this._checkReady(),this.texture.props.dimension!=="1d")throw new Error(`${this} is not 1d`);let i=cf(t);this._setTextureSubresources(i)}setTexture2DData(t,i=0){if(this._checkReady(),this.texture.props.dimension!=="2d")throw new Error(`${this} is not 2d`);let r=Li(i,t);this._setTextureSubresources(r)}setTexture3DData(t){if(this.texture.props.dimension!=="3d")throw new Error(`${this} is not 3d`);let i=uf(t);this._setTextureSubresources(i)}setTextureArrayData(t){if(this.texture.props.dimension!=="2d-array")throw new Error(`${this} is not 2d-array`);let i=ff(t);this._setTextureSubresources(i)}setTextureCubeData(t){if(this.texture.props.dimension!=="cube")throw new Error(`${this} is not cube`);let i=df(t);this._setTextureSubresources(i)}setTextureCubeArrayData(t){if(this.texture.props.dimension!=="cube-array")throw new Error(`${this} is not cube-array`);let i=hf(t);this._setTextureSubresources(i)}_setTextureSubresources(t){for(let i of t){let{z:r,mipLevel:n}=i;switch(i.type){case"external-image":let{image:o,flipY:s}=i;this.texture.copyExternalImage({image:o,z:r,mipLevel:n,flipY:s});break;case"texture-data":let{data:a,textureFormat:l}=i;if(l&&l!==this.texture.format)throw new Error(`${this} mip level ${n} uses format "${l}" but texture format is "${this.texture.format}"`);this.texture.writeData(a.data,{x:0,y:0,z:r,width:a.width,height:a.height,depthOrArrayLayers:1,mipLevel:n});break;default:throw new Error("Unsupported 2D mip-level payload")}}}async _loadAllData(t){let i=await pf(t.data);return{dimension:t.dimension??"2d",data:i??null}}_checkNotDestroyed(){this.destroyed&&C.warn(`${this} already destroyed`)}_checkReady(){this.isReady||C.warn(`${this} Cannot perform this operation before ready`)}static defaultProps={...B.defaultProps,dimension:"2d",data:null,mipmaps:!1}};function C2(e){if(!e.data)return[];let t=e.width&&e.height?{width:e.width,height:e.height}:void 0,i="format"in e?e.format:void 0;switch(e.dimension){case"1d":return cf(e.data);case"2d":return Li(0,e.data,t,i);case"3d":return uf(e.data);case"2d-array":return ff(e.data);case"cube":return df(e.data);case"cube-array":return hf(e.data);default:throw new Error(`Unhandled dimension ${e.dimension}`)}}function A2(e,t,i,r){if(t.length===0)return{subresources:t,mipLevels:1,format:r.format,hasExplicitMipChain:!1};let n=new Map;for(let u of t){let f=n.get(u.z)??[];f.push(u),n.set(u.z,f)}let o=t.some(u=>u.mipLevel>0),s=r.format,a=Number.POSITIVE_INFINITY,l=[];for(let[u,f]of n){let d=[...f].sort((v,T)=>v.mipLevel-T.mipLevel),h=d[0];if(!h||h.mipLevel!==0)throw new Error(`DynamicTexture: slice ${u} is missing mip level 0`);let m=o_(e,h);if(m.width!==i.width||m.height!==i.height)throw new Error(`DynamicTexture: slice ${u} base level dimensions ${m.width}x${m.height} do not match expected ${i.width}x${i.height}`);let g=n_(h);if(g){if(s&&s!==g)throw new Error(`DynamicTexture: slice ${u} base level format "${g}" does not match texture format "${s}"`);s=g}let b=s&&e.isTextureFormatCompressed(s)?w2(e,m.width,m.height,s):e.getMipLevelCount(m.width,m.height),x=0;for(let v=0;v<d.length;v++){let T=d[v];if(!T||T.mipLevel!==v||v>=b)break;let _=o_(e,T),w=Math.max(1,m.width>>v),A=Math.max(1,m.height>>v);if(_.width!==w||_.height!==A)break;let I=n_(T);if(I&&(s||(s=I),I!==s))break;x++,l.push(T)}a=Math.min(a,x)}let c=Number.isFinite(a)?Math.max(1,a):1;return{subresources:l.filter(u=>u.mipLevel<c),mipLevels:c,format:s,hasExplicitMipChain:o}}function n_(e){if(e.type==="texture-data")return e.textureFormat??lf(e.data)}function o_(e,t){switch(t.type){case"external-image":return e.getExternalImageSize(t.image);case"texture-data":return{width:t.data.width,height:t.data.height};default:throw new Error("Unsupported texture subresource")}}function w2(e,t,i,r){let{blockWidth:n=1,blockHeight:o=1}=e.getTextureFormatInfo(r),s=1;for(let a=1;;a++){let l=Math.max(1,t>>a),c=Math.max(1,i>>a);if(l<n||c<o)break;s++}return s}async function pf(e){if(e=await e,Array.isArray(e))return await Promise.all(e.map(pf));if(e&&typeof e=="object"&&e.constructor===Object){let t=e,i=await Promise.all(Object.values(t).map(pf)),r=Object.keys(t),n={};for(let o=0;o<r.length;o++)n[r[o]]=i[o];return n}return e}var di=2,R2=1e4,s_="render pipeline initialization failed",le=class e{static defaultProps={...et.defaultProps,source:void 0,vs:null,fs:null,id:"unnamed",handle:void 0,userData:{},defines:{},modules:[],geometry:null,indexBuffer:null,attributes:{},constantAttributes:{},bindings:{},uniforms:{},varyings:[],isInstanced:void 0,instanceCount:0,vertexCount:0,shaderInputs:void 0,material:void 0,pipelineFactory:void 0,shaderFactory:void 0,transformFeedback:void 0,shaderAssembler:Fn.getDefaultShaderAssembler(),debugShaders:void 0,disableWarnings:void 0};device;id;source;vs;fs;pipelineFactory;shaderFactory;userData={};parameters;topology;bufferLayout;isInstanced=void 0;instanceCount=0;vertexCount;indexBuffer=null;bufferAttributes={};constantAttributes={};bindings={};vertexArray;transformFeedback=null;pipeline;shaderInputs;material=null;_uniformStore;_attributeInfos={};_gpuGeometry=null;props;_pipelineNeedsUpdate="newly created";_needsRedraw="initializing";_destroyed=!1;_lastDrawTimestamp=-1;_bindingTable=[];get[Symbol.toStringTag](){return"Model"}toString(){return`Model(${this.id})`}constructor(t,i){this.props={...e.defaultProps,...i},i=this.props,this.id=i.id||Pr("model"),this.device=t,Object.assign(this.userData,i.userData),this.material=i.material||null;let r=Object.fromEntries(this.props.modules?.map(l=>[l.name,l])||[]),n=i.shaderInputs||new da(r,{disableWarnings:this.props.disableWarnings});this.setShaderInputs(n);let o=E2(t),s=(this.props.modules?.length>0?this.props.modules:this.shaderInputs?.getModules())||[];if(this.props.shaderLayout=tf(this.props.shaderLayout,s)||null,this.device.type==="webgpu"&&this.props.source){let{source:l,getUniforms:c,bindingTable:u}=this.props.shaderAssembler.assembleWGSLShader({platformInfo:o,...this.props,modules:s});this.source=l,this._getModuleUniforms=c,this._bindingTable=u;let f=t.getShaderLayout?.(this.source);this.props.shaderLayout=tf(this.props.shaderLayout||f||null,s)||null}else{let{vs:l,fs:c,getUniforms:u}=this.props.shaderAssembler.assembleGLSLShaderPair({platformInfo:o,...this.props,modules:s});this.vs=l,this.fs=c,this._getModuleUniforms=u,this._bindingTable=[]}this.vertexCount=this.props.vertexCount,this.instanceCount=this.props.instanceCount,this.topology=this.props.topology,this.bufferLayout=this.props.bufferLayout,this.parameters=this.props.parameters,i.geometry&&this.setGeometry(i.geometry),this.pipelineFactory=i.pipelineFactory||sn.getDefaultPipelineFactory(this.device),this.shaderFactory=i.shaderFactory||an.getDefaultShaderFactory(this.device),this.pipeline=this._updatePipeline(),this.vertexArray=t.createVertexArray({shaderLayout:this.pipeline.shaderLayout,bufferLayout:this.pipeline.bufferLayout}),this._gpuGeometry&&this._setGeometryAttributes(this._gpuGeometry),"isInstanced"in i&&(this.isInstanced=i.isInstanced),i.instanceCount&&this.setInstanceCount(i.instanceCount),i.vertexCount&&this.setVertexCount(i.vertexCount),i.indexBuffer&&this.setIndexBuffer(i.indexBuffer),i.attributes&&this.setAttributes(i.attributes),i.constantAttributes&&this.setConstantAttributes(i.constantAttributes),i.bindings&&this.setBindings(i.bindings),i.transformFeedback&&(this.transformFeedback=i.transformFeedback)}destroy(){this._destroyed||(this.pipelineFactory.release(this.pipeline),this.shaderFactory.release(this.pipeline.vs),this.pipeline.fs&&this.pipeline.fs!==this.pipeline.vs&&this.shaderFactory.release(this.pipeline.fs),this._uniformStore.destroy(),this._gpuGeometry?.destroy(),this._destroyed=!0)}needsRedraw(){this._getBindingsUpdateTimestamp()>this._lastDrawTimestamp&&this.setNeedsRedraw("contents of bound textures or buffers updated");let t=this._needsRedraw;return this._needsRedraw=!1,t}setNeedsRedraw(t){this._needsRedraw||=t}getBindingDebugTable(){return this._bindingTable}predraw(){this.updateShaderInputs(),this.pipeline=this._updatePipeline()}draw(t){let i=this._areBindingsLoading();if(i)return C.info(di,`>>> DRAWING ABORTED ${this.id}: ${i} not loaded`)(),!1;try{t.pushDebugGroup(`${this}.predraw(${t})`),this.predraw()}finally{t.popDebugGroup()}let r,n=this.pipeline.isErrored;try{if(t.pushDebugGroup(`${this}.draw(${t})`),this._logDrawCallStart(),this.pipeline=this._updatePipeline(),n=this.pipeline.isErrored,n)C.info(di,`>>> DRAWING ABORTED ${this.id}: ${s_}`)(),r=!1;else{let o=this._getBindings(),s=this._getBindGroups(),{indexBuffer:a}=this.vertexArray,l=a?a.byteLength/(a.indexType==="uint32"?4:2):void 0;r=this.pipeline.draw({renderPass:t,vertexArray:this.vertexArray,isInstanced:this.isInstanced,vertexCount:this.vertexCount,instanceCount:this.instanceCount,indexCount:l,transformFeedback:this.transformFeedback||void 0,bindings:o,bindGroups:s,_bindGroupCacheKeys:this._getBindGroupCacheKeys(),uniforms:this.props.uniforms,parameters:this.parameters,topology:this.topology})}}finally{t.popDebugGroup(),this._logDrawCallEnd()}return this._logFramebuffer(t),r?(this._lastDrawTimestamp=this.device.timestamp,this._needsRedraw=!1):n?this._needsRedraw=s_:this._needsRedraw="waiting for resource initialization",r}setGeometry(t){this._gpuGeometry?.destroy();let i=t&&$0(this.device,t);if(i){this.setTopology(i.topology||"triangle-list");let r=new Cr(this.bufferLayout);this.bufferLayout=r.mergeBufferLayouts(i.bufferLayout,this.bufferLayout),this.vertexArray&&this._setGeometryAttributes(i)}this._gpuGeometry=i}setTopology(t){t!==this.topology&&(this.topology=t,this._setPipelineNeedsUpdate("topology"))}setBufferLayout(t){let i=new Cr(this.bufferLayout);this.bufferLayout=this._gpuGeometry?i.mergeBufferLayouts(t,this._gpuGeometry.bufferLayout):t,this._setPipelineNeedsUpdate("bufferLayout"),this.pipeline=this._updatePipeline(),this.vertexArray=this.device.createVertexArray({shaderLayout:this.pipeline.shaderLayout,bufferLayout:this.pipeline.bufferLayout}),this._gpuGeometry&&this._setGeometryAttributes(this._gpuGeometry)}setParameters(t){fa(t,this.parameters,2)||(this.parameters=t,this._setPipelineNeedsUpdate("parameters"))}setInstanceCount(t){this.instanceCount=t,this.isInstanced===void 0&&t>0&&(this.isInstanced=!0),this.setNeedsRedraw("instanceCount")}setVertexCount(t){this.vertexCount=t,this.setNeedsRedraw("vertexCount")}setShaderInputs(t){this.shaderInputs=t,this._uniformStore=new oe(this.device,this.shaderInputs.modules);for(let[i,r]of Object.entries(this.shaderInputs.modules))if(Z0(r)&&!this.material?.ownsModule(i)){let n=this._uniformStore.getManagedUniformBuffer(i);this.bindings[`${i}Uniforms`]=n}this.setNeedsRedraw("shaderInputs")}setMaterial(t){this.material=t,this.setNeedsRedraw("material")}updateShaderInputs(){this._uniformStore.setUniforms(this.shaderInputs.getUniformValues()),this.setBindings(this._getNonMaterialBindings(this.shaderInputs.getBindingValues())),this.setNeedsRedraw("shaderInputs")}setBindings(t){Object.assign(this.bindings,t),this.setNeedsRedraw("bindings")}setTransformFeedback(t){this.transformFeedback=t,this.setNeedsRedraw("transformFeedback")}setIndexBuffer(t){this.vertexArray.setIndexBuffer(t),this.setNeedsRedraw("indexBuffer")}setAttributes(t,i){let r=i?.disableWarnings??this.props.disableWarnings;t.indices&&C.warn(`Model:${this.id} setAttributes() - indexBuffer should be set using setIndexBuffer()`)(),this.bufferLayout=q0(this.pipeline.shaderLayout,this.bufferLayout);let n=new Cr(this.bufferLayout);for(let[o,s]of Object.entries(t)){let a=n.getBufferLayout(o);if(!a){r||C.warn(`Model(${this.id}): Missing layout for buffer "${o}".`)();continue}let l=n.getAttributeNamesForBuffer(a),c=!1;for(let u of l){let f=this._attributeInfos[u];if(f){let d=this.device.type==="webgpu"?n.getBufferIndex(f.bufferName):f.location;this.vertexArray.setBuffer(d,s),c=!0}}!c&&!r&&C.warn(`Model(${this.id}): Ignoring buffer "${s.id}" for unknown attribute "${o}"`)()}this.setNeedsRedraw("attributes")}setConstantAttributes(t,i){for(let[r,n]of Object.entries(t)){let o=this._attributeInfos[r];o?this.vertexArray.setConstantWebGL(o.location,n):(i?.disableWarnings??this.props.disableWarnings)||C.warn(`Model "${this.id}: Ignoring constant supplied for unknown attribute "${r}"`)()}this.setNeedsRedraw("constants")}_areBindingsLoading(){for(let t of Object.values(this.bindings))if(t instanceof zi&&!t.isReady)return t.id;for(let t of Object.values(this.material?.bindings||{}))if(t instanceof zi&&!t.isReady)return t.id;return!1}_getBindings(){let t={};for(let[i,r]of Object.entries(this.bindings))r instanceof zi?r.isReady&&(t[i]=r.texture):t[i]=r;return t}_getBindGroups(){let t=this.pipeline?.shaderLayout||this.props.shaderLayout||{bindings:[]},i=t.bindings.length?ln(t,this._getBindings()):{0:this._getBindings()};if(!this.material)return i;for(let[r,n]of Object.entries(this.material.getBindingsByGroup())){let o=Number(r);i[o]={...i[o]||{},...n}}return i}_getBindGroupCacheKeys(){let t=this.material?.getBindGroupCacheKey(3);return t?{3:t}:{}}_getBindingsUpdateTimestamp(){let t=0;for(let i of Object.values(this.bindings))i instanceof Ii?t=Math.max(t,i.texture.updateTimestamp):i instanceof L||i instanceof B?t=Math.max(t,i.updateTimestamp):i instanceof zi?t=i.texture?Math.max(t,i.texture.updateTimestamp):1/0:i instanceof ut||(t=Math.max(t,i.buffer.updateTimestamp));return Math.max(t,this.material?.getBindingsUpdateTimestamp()||0)}_setGeometryAttributes(t){let i={...t.attributes};for(let[r]of Object.entries(i))!this.pipeline.shaderLayout.attributes.find(n=>n.name===r)&&r!=="positions"&&delete i[r];this.vertexCount=t.vertexCount,this.setIndexBuffer(t.indices||null),this.setAttributes(t.attributes,{disableWarnings:!0}),this.setAttributes(i,{disableWarnings:this.props.disableWarnings}),this.setNeedsRedraw("geometry attributes")}_setPipelineNeedsUpdate(t){this._pipelineNeedsUpdate||=t,this.setNeedsRedraw(t)}_updatePipeline(){if(this._pipelineNeedsUpdate){let t=null,i=null;this.pipeline&&(C.log(1,`Model ${this.id}: Recreating pipeline because "${this._pipelineNeedsUpdate}".`)(),t=this.pipeline.vs,i=this.pipeline.fs),this._pipelineNeedsUpdate=!1;let r=this.shaderFactory.createShader({id:`${this.id}-vertex`,stage:"vertex",source:this.source||this.vs,debugShaders:this.props.debugShaders}),n=null;this.source?n=r:this.fs&&(n=this.shaderFactory.createShader({id:`${this.id}-fragment`,stage:"fragment",source:this.source||this.fs,debugShaders:this.props.debugShaders})),this.pipeline=this.pipelineFactory.createRenderPipeline({...this.props,bindings:void 0,bufferLayout:this.bufferLayout,topology:this.topology,parameters:this.parameters,bindGroups:this._getBindGroups(),vs:r,fs:n}),this._attributeInfos=ls(this.pipeline.shaderLayout,this.bufferLayout),t&&this.shaderFactory.release(t),i&&i!==t&&this.shaderFactory.release(i)}return this.pipeline}_lastLogTime=0;_logOpen=!1;_logDrawCallStart(){let t=C.level>3?0:R2;C.level<2||Date.now()-this._lastLogTime<t||(this._lastLogTime=Date.now(),this._logOpen=!0,C.group(di,`>>> DRAWING MODEL ${this.id}`,{collapsed:C.level<=2})())}_logDrawCallEnd(){if(this._logOpen){let t=X0(this.pipeline.shaderLayout,this.id);C.table(di,t)();let i=this.shaderInputs.getDebugTable();C.table(di,i)();let r=this._getAttributeDebugTable();C.table(di,this._attributeInfos)(),C.table(di,r)(),C.groupEnd(di)(),this._logOpen=!1}}_drawCount=0;_logFramebuffer(t){let i=this.device.props.debugFramebuffers;if(this._drawCount++,!i)return;let r=t.props.framebuffer;G0(t,r,{id:r?.id||`${this.id}-framebuffer`,minimap:!0})}_getAttributeDebugTable(){let t={};for(let[i,r]of Object.entries(this._attributeInfos)){let n=this.vertexArray.attributes[r.location];t[r.location]={name:i,type:r.shaderType,values:n?this._getBufferOrConstantValues(n,r.bufferDataType):"null"}}if(this.vertexArray.indexBuffer){let{indexBuffer:i}=this.vertexArray,r=i.indexType==="uint32"?new Uint32Array(i.debugData):new Uint16Array(i.debugData);t.indices={name:"indices",type:i.indexType,values:r.toString()}}return t}_getBufferOrConstantValues(t,i){let r=Je.getTypedArrayConstructor(i);return(t instanceof L?new r(t.debugData):t).toString()}_getNonMaterialBindings(t){if(!this.material)return t;let i={};for(let[r,n]of Object.entries(t))this.material.ownsBinding(r)||(i[r]=n);return i}};function E2(e){return{type:e.type,shaderLanguage:e.info.shadingLanguage,shaderLanguageVersion:e.info.shadingLanguageVersion,gpu:e.info.gpu,features:e.features}}var x_=hd(a_(),1);var I2={passive:!1},Un={capture:!0,passive:!1};function mf(e){e.stopImmediatePropagation()}function Ar(e){e.preventDefault(),e.stopImmediatePropagation()}function xf(e){var t=e.document.documentElement,i=ge(e).on("dragstart.drag",Ar,Un);"onselectstart"in t?i.on("selectstart.drag",Ar,Un):(t.__noselect=t.style.MozUserSelect,t.style.MozUserSelect="none")}function _f(e,t){var i=e.document.documentElement,r=ge(e).on("dragstart.drag",null);t&&(r.on("click.drag",Ar,Un),setTimeout(function(){r.on("click.drag",null)},0)),"onselectstart"in i?r.on("selectstart.drag",null):(i.style.MozUserSelect=i.__noselect,delete i.__noselect)}var ha=e=>()=>e;function gf(e,{sourceEvent:t,subject:i,target:r,identifier:n,active:o,x:s,y:a,dx:l,dy:c,dispatch:u}){Object.defineProperties(this,{type:{value:e,enumerable:!0,configurable:!0},sourceEvent:{value:t,enumerable:!0,configurable:!0},subject:{value:i,enumerable:!0,configurable:!0},target:{value:r,enumerable:!0,configurable:!0},identifier:{value:n,enumerable:!0,configurable:!0},active:{value:o,enumerable:!0,configurable:!0},x:{value:s,enumerable:!0,configurable:!0},y:{value:a,enumerable:!0,configurable:!0},dx:{value:l,enumerable:!0,configurable:!0},dy:{value:c,enumerable:!0,configurable:!0},_:{value:u}})}gf.prototype.on=function(){var e=this._.on.apply(this._,arguments);return e===this._?this:e};function M2(e){return!e.ctrlKey&&!e.button}function D2(){return this.parentNode}function k2(e,t){return t??{x:e.x,y:e.y}}function F2(){return navigator.maxTouchPoints||"ontouchstart"in this}function l_(){var e=M2,t=D2,i=k2,r=F2,n={},o=vi("start","drag","end"),s=0,a,l,c,u,f=0;function d(_){_.on("mousedown.drag",h).filter(r).on("touchstart.drag",b).on("touchmove.drag",x,I2).on("touchend.drag touchcancel.drag",v).style("touch-action","none").style("-webkit-tap-highlight-color","rgba(0,0,0,0)")}function h(_,w){if(!(u||!e.call(this,_,w))){var A=T(this,t.call(this,_,w),_,w,"mouse");A&&(ge(_.view).on("mousemove.drag",m,Un).on("mouseup.drag",g,Un),xf(_.view),mf(_),c=!1,a=_.clientX,l=_.clientY,A("start",_))}}function m(_){if(Ar(_),!c){var w=_.clientX-a,A=_.clientY-l;c=w*w+A*A>f}n.mouse("drag",_)}function g(_){ge(_.view).on("mousemove.drag mouseup.drag",null),_f(_.view,c),Ar(_),n.mouse("end",_)}function b(_,w){if(e.call(this,_,w)){var A=_.changedTouches,I=t.call(this,_,w),z=A.length,N,U;for(N=0;N<z;++N)(U=T(this,I,_,w,A[N].identifier,A[N]))&&(mf(_),U("start",_,A[N]))}}function x(_){var w=_.changedTouches,A=w.length,I,z;for(I=0;I<A;++I)(z=n[w[I].identifier])&&(Ar(_),z("drag",_,w[I]))}function v(_){var w=_.changedTouches,A=w.length,I,z;for(u&&clearTimeout(u),u=setTimeout(function(){u=null},500),I=0;I<A;++I)(z=n[w[I].identifier])&&(mf(_),z("end",_,w[I]))}function T(_,w,A,I,z,N){var U=o.copy(),H=ot(N||A,w),O,Q,S;if((S=i.call(_,new gf("beforestart",{sourceEvent:A,target:d,identifier:z,active:s,x:H[0],y:H[1],dx:0,dy:0,dispatch:U}),I))!=null)return O=S.x-H[0]||0,Q=S.y-H[1]||0,function F(D,W,Y){var j=H,$;switch(D){case"start":n[z]=F,$=s++;break;case"end":delete n[z],--s;case"drag":H=ot(Y||W,w),$=s;break}U.call(D,_,new gf(D,{sourceEvent:W,subject:S,target:d,identifier:z,active:$,x:H[0]+O,y:H[1]+Q,dx:H[0]-j[0],dy:H[1]-j[1],dispatch:U}),I)}}return d.filter=function(_){return arguments.length?(e=typeof _=="function"?_:ha(!!_),d):e},d.container=function(_){return arguments.length?(t=typeof _=="function"?_:ha(_),d):t},d.subject=function(_){return arguments.length?(i=typeof _=="function"?_:ha(_),d):i},d.touchable=function(_){return arguments.length?(r=typeof _=="function"?_:ha(!!_),d):r},d.on=function(){var _=o.on.apply(o,arguments);return _===o?d:_},d.clickDistance=function(_){return arguments.length?(f=(_=+_)*_,d):Math.sqrt(f)},d}var pa=e=>()=>e;function N2(e,{sourceEvent:t,target:i,transform:r,dispatch:n}){Object.defineProperties(this,{type:{value:e,enumerable:!0,configurable:!0},sourceEvent:{value:t,enumerable:!0,configurable:!0},target:{value:i,enumerable:!0,configurable:!0},transform:{value:r,enumerable:!0,configurable:!0},_:{value:n}})}function Kt(e,t,i){this.k=e,this.x=t,this.y=i}Kt.prototype={constructor:Kt,scale:function(e){return e===1?this:new Kt(this.k*e,this.x,this.y)},translate:function(e,t){return e===0&t===0?this:new Kt(this.k,this.x+this.k*e,this.y+this.k*t)},apply:function(e){return[e[0]*this.k+this.x,e[1]*this.k+this.y]},applyX:function(e){return e*this.k+this.x},applyY:function(e){return e*this.k+this.y},invert:function(e){return[(e[0]-this.x)/this.k,(e[1]-this.y)/this.k]},invertX:function(e){return(e-this.x)/this.k},invertY:function(e){return(e-this.y)/this.k},rescaleX:function(e){return e.copy().domain(e.range().map(this.invertX,this).map(e.invert,e))},rescaleY:function(e){return e.copy().domain(e.range().map(this.invertY,this).map(e.invert,e))},toString:function(){return"translate("+this.x+","+this.y+") scale("+this.k+")"}};var Wi=new Kt(1,0,0);B2.prototype=Kt.prototype;function B2(e){for(;!e.__zoom;)if(!(e=e.parentNode))return Wi;return e.__zoom}function yf(e){e.stopImmediatePropagation()}function Ln(e){e.preventDefault(),e.stopImmediatePropagation()}function O2(e){return(!e.ctrlKey||e.type==="wheel")&&!e.button}function U2(){var e=this;return e instanceof SVGElement?(e=e.ownerSVGElement||e,e.hasAttribute("viewBox")?(e=e.viewBox.baseVal,[[e.x,e.y],[e.x+e.width,e.y+e.height]]):[[0,0],[e.width.baseVal.value,e.height.baseVal.value]]):[[0,0],[e.clientWidth,e.clientHeight]]}function c_(){return this.__zoom||Wi}function L2(e){return-e.deltaY*(e.deltaMode===1?.05:e.deltaMode?1:.002)*(e.ctrlKey?10:1)}function z2(){return navigator.maxTouchPoints||"ontouchstart"in this}function W2(e,t,i){var r=e.invertX(t[0][0])-i[0][0],n=e.invertX(t[1][0])-i[1][0],o=e.invertY(t[0][1])-i[0][1],s=e.invertY(t[1][1])-i[1][1];return e.translate(n>r?(r+n)/2:Math.min(0,r)||Math.max(0,n),s>o?(o+s)/2:Math.min(0,o)||Math.max(0,s))}function u_(){var e=O2,t=U2,i=W2,r=L2,n=z2,o=[0,1/0],s=[[-1/0,-1/0],[1/0,1/0]],a=250,l=Vh,c=vi("start","zoom","end"),u,f,d,h=500,m=150,g=0,b=10;function x(S){S.property("__zoom",c_).on("wheel.zoom",z,{passive:!1}).on("mousedown.zoom",N).on("dblclick.zoom",U).filter(n).on("touchstart.zoom",H).on("touchmove.zoom",O).on("touchend.zoom touchcancel.zoom",Q).style("-webkit-tap-highlight-color","rgba(0,0,0,0)")}x.transform=function(S,F,D,W){var Y=S.selection?S.selection():S;Y.property("__zoom",c_),S!==Y?w(S,F,D,W):Y.interrupt().each(function(){A(this,arguments).event(W).start().zoom(null,typeof F=="function"?F.apply(this,arguments):F).end()})},x.scaleBy=function(S,F,D,W){x.scaleTo(S,function(){var Y=this.__zoom.k,j=typeof F=="function"?F.apply(this,arguments):F;return Y*j},D,W)},x.scaleTo=function(S,F,D,W){x.transform(S,function(){var Y=t.apply(this,arguments),j=this.__zoom,$=D==null?_(Y):typeof D=="function"?D.apply(this,arguments):D,te=j.invert($),ne=typeof F=="function"?F.apply(this,arguments):F;return i(T(v(j,ne),$,te),Y,s)},D,W)},x.translateBy=function(S,F,D,W){x.transform(S,function(){return i(this.__zoom.translate(typeof F=="function"?F.apply(this,arguments):F,typeof D=="function"?D.apply(this,arguments):D),t.apply(this,arguments),s)},null,W)},x.translateTo=function(S,F,D,W,Y){x.transform(S,function(){var j=t.apply(this,arguments),$=this.__zoom,te=W==null?_(j):typeof W=="function"?W.apply(this,arguments):W;return i(Wi.translate(te[0],te[1]).scale($.k).translate(typeof F=="function"?-F.apply(this,arguments):-F,typeof D=="function"?-D.apply(this,arguments):-D),j,s)},W,Y)};function v(S,F){return F=Math.max(o[0],Math.min(o[1],F)),F===S.k?S:new Kt(F,S.x,S.y)}function T(S,F,D){var W=F[0]-D[0]*S.k,Y=F[1]-D[1]*S.k;return W===S.x&&Y===S.y?S:new Kt(S.k,W,Y)}function _(S){return[(+S[0][0]+ +S[1][0])/2,(+S[0][1]+ +S[1][1])/2]}function w(S,F,D,W){S.on("start.zoom",function(){A(this,arguments).event(W).start()}).on("interrupt.zoom end.zoom",function(){A(this,arguments).event(W).end()}).tween("zoom",function(){var Y=this,j=arguments,$=A(Y,j).event(W),te=t.apply(Y,j),ne=D==null?_(te):typeof D=="function"?D.apply(Y,j):D,Ne=Math.max(te[1][0]-te[0][0],te[1][1]-te[0][1]),_e=Y.__zoom,Be=typeof F=="function"?F.apply(Y,j):F,Le=l(_e.invert(ne).concat(Ne/_e.k),Be.invert(ne).concat(Ne/Be.k));return function(J){if(J===1)J=Be;else{var Ve=Le(J),V=Ne/Ve[2];J=new Kt(V,ne[0]-Ve[0]*V,ne[1]-Ve[1]*V)}$.zoom(null,J)}})}function A(S,F,D){return!D&&S.__zooming||new I(S,F)}function I(S,F){this.that=S,this.args=F,this.active=0,this.sourceEvent=null,this.extent=t.apply(S,F),this.taps=0}I.prototype={event:function(S){return S&&(this.sourceEvent=S),this},start:function(){return++this.active===1&&(this.that.__zooming=this,this.emit("start")),this},zoom:function(S,F){return this.mouse&&S!=="mouse"&&(this.mouse[1]=F.invert(this.mouse[0])),this.touch0&&S!=="touch"&&(this.touch0[1]=F.invert(this.touch0[0])),this.touch1&&S!=="touch"&&(this.touch1[1]=F.invert(this.touch1[0])),this.that.__zoom=F,this.emit("zoom"),this},end:function(){return--this.active===0&&(delete this.that.__zooming,this.emit("end")),this},emit:function(S){var F=ge(this.that).datum();c.call(S,this.that,new N2(S,{sourceEvent:this.sourceEvent,target:x,transform:this.that.__zoom,dispatch:c}),F)}};function z(S,...F){if(!e.apply(this,arguments))return;var D=A(this,F).event(S),W=this.__zoom,Y=Math.max(o[0],Math.min(o[1],W.k*Math.pow(2,r.apply(this,arguments)))),j=ot(S);if(D.wheel)(D.mouse[0][0]!==j[0]||D.mouse[0][1]!==j[1])&&(D.mouse[1]=W.invert(D.mouse[0]=j)),clearTimeout(D.wheel);else{if(W.k===Y)return;D.mouse=[j,W.invert(j)],jr(this),D.start()}Ln(S),D.wheel=setTimeout($,m),D.zoom("mouse",i(T(v(W,Y),D.mouse[0],D.mouse[1]),D.extent,s));function $(){D.wheel=null,D.end()}}function N(S,...F){if(d||!e.apply(this,arguments))return;var D=S.currentTarget,W=A(this,F,!0).event(S),Y=ge(S.view).on("mousemove.zoom",ne,!0).on("mouseup.zoom",Ne,!0),j=ot(S,D),$=S.clientX,te=S.clientY;xf(S.view),yf(S),W.mouse=[j,this.__zoom.invert(j)],jr(this),W.start();function ne(_e){if(Ln(_e),!W.moved){var Be=_e.clientX-$,Le=_e.clientY-te;W.moved=Be*Be+Le*Le>g}W.event(_e).zoom("mouse",i(T(W.that.__zoom,W.mouse[0]=ot(_e,D),W.mouse[1]),W.extent,s))}function Ne(_e){Y.on("mousemove.zoom mouseup.zoom",null),_f(_e.view,W.moved),Ln(_e),W.event(_e).end()}}function U(S,...F){if(e.apply(this,arguments)){var D=this.__zoom,W=ot(S.changedTouches?S.changedTouches[0]:S,this),Y=D.invert(W),j=D.k*(S.shiftKey?.5:2),$=i(T(v(D,j),W,Y),t.apply(this,F),s);Ln(S),a>0?ge(this).transition().duration(a).call(w,$,W,S):ge(this).call(x.transform,$,W,S)}}function H(S,...F){if(e.apply(this,arguments)){var D=S.touches,W=D.length,Y=A(this,F,S.changedTouches.length===W).event(S),j,$,te,ne;for(yf(S),$=0;$<W;++$)te=D[$],ne=ot(te,this),ne=[ne,this.__zoom.invert(ne),te.identifier],Y.touch0?!Y.touch1&&Y.touch0[2]!==ne[2]&&(Y.touch1=ne,Y.taps=0):(Y.touch0=ne,j=!0,Y.taps=1+!!u);u&&(u=clearTimeout(u)),j&&(Y.taps<2&&(f=ne[0],u=setTimeout(function(){u=null},h)),jr(this),Y.start())}}function O(S,...F){if(this.__zooming){var D=A(this,F).event(S),W=S.changedTouches,Y=W.length,j,$,te,ne;for(Ln(S),j=0;j<Y;++j)$=W[j],te=ot($,this),D.touch0&&D.touch0[2]===$.identifier?D.touch0[0]=te:D.touch1&&D.touch1[2]===$.identifier&&(D.touch1[0]=te);if($=D.that.__zoom,D.touch1){var Ne=D.touch0[0],_e=D.touch0[1],Be=D.touch1[0],Le=D.touch1[1],J=(J=Be[0]-Ne[0])*J+(J=Be[1]-Ne[1])*J,Ve=(Ve=Le[0]-_e[0])*Ve+(Ve=Le[1]-_e[1])*Ve;$=v($,Math.sqrt(J/Ve)),te=[(Ne[0]+Be[0])/2,(Ne[1]+Be[1])/2],ne=[(_e[0]+Le[0])/2,(_e[1]+Le[1])/2]}else if(D.touch0)te=D.touch0[0],ne=D.touch0[1];else return;D.zoom("touch",i(T($,te,ne),D.extent,s))}}function Q(S,...F){if(this.__zooming){var D=A(this,F).event(S),W=S.changedTouches,Y=W.length,j,$;for(yf(S),d&&clearTimeout(d),d=setTimeout(function(){d=null},h),j=0;j<Y;++j)$=W[j],D.touch0&&D.touch0[2]===$.identifier?delete D.touch0:D.touch1&&D.touch1[2]===$.identifier&&delete D.touch1;if(D.touch1&&!D.touch0&&(D.touch0=D.touch1,delete D.touch1),D.touch0)D.touch0[1]=this.__zoom.invert(D.touch0[0]);else if(D.end(),D.taps===2&&($=ot($,this),Math.hypot(f[0]-$[0],f[1]-$[1])<b)){var te=ge(this).on("dblclick.zoom");te&&te.apply(this,arguments)}}}return x.wheelDelta=function(S){return arguments.length?(r=typeof S=="function"?S:pa(+S),x):r},x.filter=function(S){return arguments.length?(e=typeof S=="function"?S:pa(!!S),x):e},x.touchable=function(S){return arguments.length?(n=typeof S=="function"?S:pa(!!S),x):n},x.extent=function(S){return arguments.length?(t=typeof S=="function"?S:pa([[+S[0][0],+S[0][1]],[+S[1][0],+S[1][1]]]),x):t},x.scaleExtent=function(S){return arguments.length?(o[0]=+S[0],o[1]=+S[1],x):[o[0],o[1]]},x.translateExtent=function(S){return arguments.length?(s[0][0]=+S[0][0],s[1][0]=+S[1][0],s[0][1]=+S[0][1],s[1][1]=+S[1][1],x):[[s[0][0],s[0][1]],[s[1][0],s[1][1]]]},x.constrain=function(S){return arguments.length?(i=S,x):i},x.duration=function(S){return arguments.length?(a=+S,x):a},x.interpolate=function(S){return arguments.length?(l=S,x):l},x.on=function(){var S=c.on.apply(c,arguments);return S===c?x:S},x.clickDistance=function(S){return arguments.length?(g=(S=+S)*S,x):Math.sqrt(g)},x.tapDistance=function(S){return arguments.length?(b=+S,x):b},x}var Sf=.001,ma=64,H2=4,f_=2,vf=class{constructor(){this.pointsTextureSize=0,this.linksTextureSize=0,this.alpha=1,this.transform=Ot.create(),this.screenSize=[0,0],this.mousePosition=[0,0],this.screenMousePosition=[0,0],this.searchArea=[[0,0],[0,0]],this.isSimulationRunning=!1,this.simulationProgress=0,this.maxPointSize=ma,this.hoveredPoint=void 0,this.focusedPoint=void 0,this.draggingPointIndex=void 0,this.hoveredLinkIndex=void 0,this.adjustedSpaceSize=Ut.spaceSize,this.isSpaceKeyPressed=!1,this.webglMaxTextureSize=16384,this.hoveredPointRingColor=[1,1,1,G2],this.focusedPointRingColor=[1,1,1,K2],this.outlinedPointRingColor=[1,1,1,1],this.highlightedPointSet=void 0,this.outlinedPointSet=void 0,this.hoveredLinkColor=[-1,-1,-1,-1],this.greyoutPointColor=[-1,-1,-1,-1],this.isDarkenGreyout=!1,this.isLinkHoveringEnabled=!1,this.alphaTarget=0,this.scalePointX=na(),this.scalePointY=na(),this.random=new Hu,this._backgroundColor=[0,0,0,0],this.alphaDecay=t=>1-Math.pow(Sf,1/t)}get backgroundColor(){return this._backgroundColor}get transformationMatrix4x4(){let t=this.transform;if(t.length!==9)throw new Error(`Transform must be a 9-element array (3x3 matrix), got ${t.length} elements`);return[t[0],t[1],t[2],0,t[3],t[4],t[5],0,t[6],t[7],t[8],0,0,0,0,1]}set backgroundColor(t){this._backgroundColor=t;let i=$2(t[0],t[1],t[2]);document.documentElement.style.setProperty("--cosmosgl-attribution-color",i>.65?"black":"white"),document.documentElement.style.setProperty("--cosmosgl-error-message-color",i>.65?"black":"white"),this.div&&(this.div.style.backgroundColor=`rgba(${t[0]*255}, ${t[1]*255}, ${t[2]*255}, ${t[3]})`),this.isDarkenGreyout=i<.65}addRandomSeed(t){this.random=this.random.clone(t)}getRandomFloat(t,i){return this.random.float(t,i)}adjustSpaceSize(t,i){(t<=0||!isFinite(t))&&(console.error(`Invalid spaceSize value: ${t}. Using default value of ${Ut.spaceSize}`),t=Ut.spaceSize);let r=2;if(t<r&&(console.warn(`spaceSize (${t}) is too small. Using minimum value of ${r}`),t=r),!Number.isFinite(i)||i<=0||i<r){console.warn(`Invalid webglMaxTextureSize: ${i}. Using configSpaceSize without WebGL limit adjustment.`),this.adjustedSpaceSize=t;return}t>=i?(this.adjustedSpaceSize=Math.max(i/2,r),console.warn(`The \`spaceSize\` has been reduced to ${this.adjustedSpaceSize} due to WebGL limits`)):this.adjustedSpaceSize=t}setWebGLMaxTextureSize(t){this.webglMaxTextureSize=t}updateScreenSize(t,i){let{adjustedSpaceSize:r}=this;this.screenSize=[t,i],this.scalePointX.domain([0,r]).range([(t-r)/2,(t+r)/2]),this.scalePointY.domain([r,0]).range([(i-r)/2,(i+r)/2])}scaleX(t){return this.scalePointX(t)}scaleY(t){return this.scalePointY(t)}setHoveredPointRingColor(t){let i=xt(t);this.hoveredPointRingColor[0]=i[0],this.hoveredPointRingColor[1]=i[1],this.hoveredPointRingColor[2]=i[2]}setFocusedPointRingColor(t){let i=xt(t);this.focusedPointRingColor[0]=i[0],this.focusedPointRingColor[1]=i[1],this.focusedPointRingColor[2]=i[2]}setOutlinedPointRingColor(t){let i=xt(t);this.outlinedPointRingColor[0]=i[0],this.outlinedPointRingColor[1]=i[1],this.outlinedPointRingColor[2]=i[2],this.outlinedPointRingColor[3]=i[3]}setHighlightedPointSet(t){this.highlightedPointSet=t?new Set(t):void 0}setOutlinedPointSet(t){this.outlinedPointSet=t?new Set(t):void 0}setGreyoutPointColor(t){if(t===void 0){this.greyoutPointColor=[-1,-1,-1,-1];return}let i=xt(t);this.greyoutPointColor[0]=i[0],this.greyoutPointColor[1]=i[1],this.greyoutPointColor[2]=i[2],this.greyoutPointColor[3]=i[3]}updateLinkHoveringEnabled(t){this.isLinkHoveringEnabled=!!(t.onLinkClick||t.onLinkContextMenu||t.onLinkMouseOver||t.onLinkMouseOut),this.isLinkHoveringEnabled||(this.hoveredLinkIndex=void 0)}setHoveredLinkColor(t){if(t===void 0){this.hoveredLinkColor=[-1,-1,-1,-1];return}let i=xt(t);this.hoveredLinkColor[0]=i[0],this.hoveredLinkColor[1]=i[1],this.hoveredLinkColor[2]=i[2],this.hoveredLinkColor[3]=i[3]}setFocusedPoint(t){t!==void 0?this.focusedPoint={index:t}:this.focusedPoint=void 0}addAlpha(t){return(this.alphaTarget-this.alpha)*this.alphaDecay(t)}};var V2=e=>Array.isArray(e);function xt(e){let t;if(V2(e))t=e;else{let i=at(e),r=i?.rgb();t=[(r?.r??0)/255,(r?.g??0)/255,(r?.b??0)/255,i?.opacity??1]}return t}function $2(e,t,i){return .2126*e+.7152*t+.0722*i}function We(e,t,i=0,r=0,n,o){return e.readPixelsToArrayWebGL(t,{sourceX:i,sourceY:r,sourceWidth:n,sourceHeight:o})}function d_(e){let t=[];for(let i=0;i<e.length;i+=4)e[i]!==0&&t.push(i/4);return t}function h_(e,t){switch(e.info.type){case"webgl":{let i=e.gl,r=i.getParameter(i.ALIASED_POINT_SIZE_RANGE);return(r?.[1]??ma)/t}case"webgpu":return ma/t;default:return ma/t}}function X2(e,t,i){return Math.min(Math.max(e,t),i)}function hi(e){return e!=null&&!Number.isNaN(e)}function gt(e,t){return Number.isNaN(e[t*2])||Number.isNaN(e[t*2+1])}function Y2(e,t){return bx.sanitize(e,{ALLOWED_TAGS:["a","b","i","em","strong","span","div","p","br"],ALLOWED_ATTR:["href","target","class","id","style"],ALLOW_DATA_ATTR:!1,...t})}var __=(e=>(e[e.Circle=0]="Circle",e[e.Square=1]="Square",e[e.Triangle=2]="Triangle",e[e.Diamond=3]="Diamond",e[e.Pentagon=4]="Pentagon",e[e.Hexagon=5]="Hexagon",e[e.Star=6]="Star",e[e.Cross=7]="Cross",e[e.None=8]="None",e))(__||{}),y_=(e=>(e[e.Solid=0]="Solid",e[e.Dashed=1]="Dashed",e[e.Dotted=2]="Dotted",e))(y_||{}),Tf=class{constructor(t){this.sourcePointsNumber=0,this.targetPointsNumber=0,this._config=t}get pointsNumber(){return this.pointPositions&&this.pointPositions.length/2}get linksNumber(){return this.links&&this.links.length/2}get defaultRgba(){return this._defaultRgba??(this._defaultRgba=xt(this._config.pointDefaultColor)),this._defaultRgba}updatePoints(){this.pointPositions!==this.inputPointPositions&&(this.sourcePointsNumber=this.pointPositions?this.pointPositions.length/2:0,this.pointPositions=this.inputPointPositions,this.targetPointsNumber=this.pointPositions?this.pointPositions.length/2:0)}updatePointColor(){if(this.pointsNumber===void 0){this.pointColors=void 0;return}this._defaultRgba=void 0,this.inputPointColors===void 0||this.inputPointColors.length/4!==this.pointsNumber?this.pointColors=new Float32Array(this.pointsNumber*4).fill(NaN):this.pointColors=this.inputPointColors}getResolvedPointColorChannel(t,i){var r;let n=(r=this.pointColors)==null?void 0:r[t*4+i];return hi(n)?n:this.pointPositions&&gt(this.pointPositions,t)?Df:this.defaultRgba[i]}updatePointSize(){if(this.pointsNumber===void 0){this.pointSizes=void 0;return}this.inputPointSizes===void 0||this.inputPointSizes.length!==this.pointsNumber?this.pointSizes=new Float32Array(this.pointsNumber).fill(NaN):this.pointSizes=this.inputPointSizes}getResolvedPointSize(t){var i;let r=(i=this.pointSizes)==null?void 0:i[t];return hi(r)?r:this.pointPositions&&gt(this.pointPositions,t)?S_:this._config.pointDefaultSize}updatePointShape(){if(this.pointsNumber===void 0){this.pointShapes=void 0;return}let{pointDefaultShape:t}=this._config,i=typeof t=="string"?Number(t):t,r=Number.isInteger(i)&&i>=0&&i<=8?i:Ut.pointDefaultShape;if(this.inputPointShapes===void 0||this.inputPointShapes.length!==this.pointsNumber)this.pointShapes=new Float32Array(this.pointsNumber).fill(r);else{this.pointShapes=new Float32Array(this.inputPointShapes);let n=this.pointShapes;for(let o=0;o<n.length;o++){let s=n[o]??-1;(!Number.isInteger(s)||s<0||s>8)&&(n[o]=r)}}}updatePointImageIndices(){if(this.pointsNumber===void 0){this.pointImageIndices=void 0;return}if(this.inputPointImageIndices===void 0||this.inputPointImageIndices.length!==this.pointsNumber)this.pointImageIndices=new Float32Array(this.pointsNumber).fill(-1);else{let t=new Float32Array(this.inputPointImageIndices);for(let i=0;i<t.length;i++){let r=t[i],n=r===void 0?NaN:r;!Number.isFinite(n)||n<0?t[i]=-1:t[i]=Math.trunc(n)}this.pointImageIndices=t}}updatePointImageSizes(){if(this.pointsNumber===void 0){this.pointImageSizes=void 0;return}if(this.inputPointImageSizes===void 0||this.inputPointImageSizes.length!==this.pointsNumber){this.pointImageSizes=new Float32Array(this.pointsNumber);for(let t=0;t<this.pointsNumber;t++)this.pointImageSizes[t]=this.getResolvedPointSize(t)}else{this.pointImageSizes=new Float32Array(this.inputPointImageSizes);for(let t=0;t<this.pointImageSizes.length;t++)hi(this.pointImageSizes[t])||(this.pointImageSizes[t]=this.getResolvedPointSize(t))}}updateLinks(){this.links=this.inputLinks}updateLinkColor(){if(this.linksNumber===void 0){this.linkColors=void 0;return}let t=xt(this._config.linkDefaultColor);if(this.inputLinkColors===void 0||this.inputLinkColors.length/4!==this.linksNumber){this.linkColors=new Float32Array(this.linksNumber*4);for(let i=0;i<this.linkColors.length/4;i++)this.linkColors[i*4]=t[0],this.linkColors[i*4+1]=t[1],this.linkColors[i*4+2]=t[2],this.linkColors[i*4+3]=t[3]}else{this.linkColors=this.inputLinkColors;for(let i=0;i<this.linkColors.length/4;i++)hi(this.linkColors[i*4])||(this.linkColors[i*4]=t[0]),hi(this.linkColors[i*4+1])||(this.linkColors[i*4+1]=t[1]),hi(this.linkColors[i*4+2])||(this.linkColors[i*4+2]=t[2]),hi(this.linkColors[i*4+3])||(this.linkColors[i*4+3]=t[3])}}updateLinkWidth(){if(this.linksNumber===void 0){this.linkWidths=void 0;return}let t=this._config.linkDefaultWidth;if(this.inputLinkWidths===void 0||this.inputLinkWidths.length!==this.linksNumber)this.linkWidths=new Float32Array(this.linksNumber).fill(t);else{this.linkWidths=this.inputLinkWidths;for(let i=0;i<this.linkWidths.length;i++)hi(this.linkWidths[i])||(this.linkWidths[i]=t)}}updateLinkStyles(){if(this.linksNumber===void 0){this.linkStyles=void 0;return}let{linkDefaultStyle:t}=this._config,i=typeof t=="string"?Number(t):t,r=Number.isInteger(i)&&i>=0&&i<=2?i:Ut.linkDefaultStyle;if(this.inputLinkStyles===void 0||this.inputLinkStyles.length!==this.linksNumber)this.linkStyles=new Float32Array(this.linksNumber).fill(r);else{this.linkStyles=new Float32Array(this.inputLinkStyles);let n=this.linkStyles;for(let o=0;o<n.length;o++){let s=n[o]??-1;(!Number.isInteger(s)||s<0||s>2)&&(n[o]=r)}}}updateArrows(){if(this.linksNumber===void 0){this.linkArrows=void 0;return}let t=this._config.linkDefaultArrows;this.linkArrowsBoolean===void 0||this.linkArrowsBoolean.length!==this.linksNumber?this.linkArrows=new Array(this.linksNumber).fill(+t):this.linkArrows=this.linkArrowsBoolean.map(i=>+i)}updateLinkStrength(){this.linksNumber===void 0&&(this.linkStrength=void 0),this.inputLinkStrength===void 0||this.inputLinkStrength.length!==this.linksNumber?this.linkStrength=void 0:this.linkStrength=this.inputLinkStrength}updateClusters(){if(this.pointsNumber===void 0){this.pointClusters=void 0,this.clusterPositions=void 0;return}this.inputPointClusters===void 0||this.inputPointClusters.length!==this.pointsNumber?this.pointClusters=void 0:this.pointClusters=this.inputPointClusters,this.inputClusterPositions===void 0?this.clusterPositions=void 0:this.clusterPositions=this.inputClusterPositions,this.inputClusterStrength===void 0||this.inputClusterStrength.length!==this.pointsNumber?this.clusterStrength=void 0:this.clusterStrength=this.inputClusterStrength}update(){this.updatePoints(),this.updatePointColor(),this.updatePointSize(),this.updatePointShape(),this.updatePointImageIndices(),this.updatePointImageSizes(),this.updateLinks(),this.updateLinkColor(),this.updateLinkWidth(),this.updateArrows(),this.updateLinkStyles(),this.updateLinkStrength(),this.updateClusters(),this._createAdjacencyLists(),this._calculateDegrees()}getNeighboringPointIndices(t){var i,r;let n=Array.isArray(t)?t:[t],o=this.pointsNumber??0,s=new Set;for(let a of n)if(!(a<0||a>=o)){for(let[l]of((i=this.sourceIndexToTargetIndices)==null?void 0:i[a])??[])s.add(l);for(let[l]of((r=this.targetIndexToSourceIndices)==null?void 0:r[a])??[])s.add(l)}return[...s]}getConnectedLinkIndices(t){var i;let r=Array.isArray(t)?t:[t],n=this.pointsNumber??0,o=new Set(r),s=new Set;for(let a of o)if(!(a<0||a>=n))for(let[l,c]of((i=this.sourceIndexToTargetIndices)==null?void 0:i[a])??[])o.has(l)&&s.add(c);return[...s]}getConnectedPointIndices(t){let i=Array.isArray(t)?t:[t],r=new Set;if(this.links===void 0)return[];let n=this.linksNumber??0;for(let o of i){if(o<0||o>=n)continue;let s=this.links[o*2],a=this.links[o*2+1];s!==void 0&&r.add(s),a!==void 0&&r.add(a)}return[...r]}_createAdjacencyLists(){var t,i;if(this.linksNumber===void 0||this.links===void 0){this.sourceIndexToTargetIndices=void 0,this.targetIndexToSourceIndices=void 0;return}this.sourceIndexToTargetIndices=new Array(this.pointsNumber).fill(void 0),this.targetIndexToSourceIndices=new Array(this.pointsNumber).fill(void 0);for(let r=0;r<this.linksNumber;r++){let n=this.links[r*2],o=this.links[r*2+1];n!==void 0&&o!==void 0&&(this.sourceIndexToTargetIndices[n]===void 0&&(this.sourceIndexToTargetIndices[n]=[]),(t=this.sourceIndexToTargetIndices[n])==null||t.push([o,r]),this.targetIndexToSourceIndices[o]===void 0&&(this.targetIndexToSourceIndices[o]=[]),(i=this.targetIndexToSourceIndices[o])==null||i.push([n,r]))}}_calculateDegrees(){var t,i,r,n;if(this.pointsNumber===void 0){this.degree=void 0,this.inDegree=void 0,this.outDegree=void 0;return}this.degree=new Array(this.pointsNumber).fill(0),this.inDegree=new Array(this.pointsNumber).fill(0),this.outDegree=new Array(this.pointsNumber).fill(0);for(let o=0;o<this.pointsNumber;o++)this.inDegree[o]=((i=(t=this.targetIndexToSourceIndices)==null?void 0:t[o])==null?void 0:i.length)??0,this.outDegree[o]=((n=(r=this.sourceIndexToTargetIndices)==null?void 0:r[o])==null?void 0:n.length)??0,this.degree[o]=(this.inDegree[o]??0)+(this.outDegree[o]??0)}},Pe=(e=>(e.Positions="positions",e.PointColors="pointColors",e.PointSizes="pointSizes",e.LinkColors="linkColors",e.LinkWidths="linkWidths",e))(Pe||{}),b_=(e=>(e.Linear="linear",e.QuadIn="quad-in",e.QuadOut="quad-out",e.QuadInOut="quad-in-out",e.CubicIn="cubic-in",e.CubicOut="cubic-out",e.CubicInOut="cubic-in-out",e.SinIn="sin-in",e.SinOut="sin-out",e.SinInOut="sin-in-out",e.ExpIn="exp-in",e.ExpOut="exp-out",e.ExpInOut="exp-in-out",e.CircleIn="circle-in",e.CircleOut="circle-out",e.CircleInOut="circle-in-out",e))(b_||{}),j2={linear:Dl,"quad-in":kl,"quad-out":Fl,"quad-in-out":Nl,"cubic-in":Gh,"cubic-out":Kh,"cubic-in-out":Lo,"sin-in":Qh,"sin-out":Jh,"sin-in-out":ep,"exp-in":tp,"exp-out":ip,"exp-in-out":rp,"circle-in":np,"circle-out":op,"circle-in-out":sp},Pf=class{constructor(t){this.progress=1,this.startTime=0,this.pendingProperties=new Set,this.activeProperties=new Set,this.activeDuration=0,this.config=t}get duration(){return this.overrideDuration??this.config.transitionDuration}get isPending(){return this.pendingProperties.size>0}get isActive(){return this.activeProperties.size>0}setDurationOverride(t){this.overrideDuration=t!==void 0&&Number.isFinite(t)?t:void 0}isPendingFor(t){return this.pendingProperties.has(t)}isActiveFor(t){return this.activeProperties.has(t)}queue(t){this.pendingProperties.add(t)}dequeue(t){this.pendingProperties.delete(t)}start(){var t,i,r,n;let o=this.duration;if(this.overrideDuration=void 0,!!this.isPending){if(o<=0){let s=this.isActive;this.pendingProperties.clear(),this.clearActiveCycle(),s&&((i=(t=this.config).onTransitionEnd)==null||i.call(t,!0));return}this.isActive&&this.end(!0),this.activeDuration=o,this.startTime=performance.now(),this.progress=0,this.activeProperties=new Set(this.pendingProperties),this.pendingProperties.clear(),(n=(r=this.config).onTransitionStart)==null||n.call(r)}}step(){var t,i;if(!this.isActive)return;let r=this.activeDuration;if(r<=0){this.end(!0);return}let n=Math.min((performance.now()-this.startTime)/r,1),o=this.applyEasing(n);this.progress=o,(i=(t=this.config).onTransition)==null||i.call(t,o),n>=1&&this.end(!1)}end(t){var i,r;this.isActive&&(this.clearActiveCycle(),(r=(i=this.config).onTransitionEnd)==null||r.call(i,t))}abort(){this.pendingProperties.clear(),this.overrideDuration=void 0,this.clearActiveCycle()}applyEasing(t){return(j2[this.config.transitionEasing]??Dl)(t)}clearActiveCycle(){this.startTime=0,this.progress=1,this.activeProperties.clear()}},Ut={enableSimulation:!0,transitionDuration:800,transitionEasing:b_.CubicInOut,backgroundColor:"#222222",spaceSize:4096,pointDefaultColor:"#b3b3b3",pointDefaultSize:4,pointDefaultShape:__.Circle,pointOpacity:1,pointGreyoutOpacity:void 0,pointGreyoutColor:void 0,pointSizeScale:1,scalePointsOnZoom:!1,hoveredPointCursor:"auto",renderHoveredPointRing:!1,hoveredPointRingColor:"white",focusedPointRingColor:"white",focusedPointIndex:void 0,highlightedPointIndices:void 0,outlinedPointIndices:void 0,outlinedPointRingColor:"white",renderLinks:!0,linkDefaultColor:"#666666",linkDefaultWidth:1,linkDefaultStyle:y_.Solid,linkDashLength:8,linkDashGap:4,linkColorInterpolateFromEndpoints:!1,linkOpacity:1,linkGreyoutOpacity:.1,linkWidthScale:1,scaleLinksOnZoom:!1,linkBlending:!0,curvedLinks:!1,curvedLinkSegments:19,curvedLinkWeight:.8,curvedLinkControlPointDistance:.5,linkDefaultArrows:!1,linkArrowsSizeScale:1,linkVisibilityDistanceRange:[50,150],linkVisibilityMinTransparency:.25,hoveredLinkCursor:"auto",hoveredLinkColor:void 0,hoveredLinkWidthIncrease:5,highlightedLinkIndices:void 0,focusedLinkIndex:void 0,focusedLinkWidthIncrease:5,simulationDecay:5e3,simulationGravity:.25,simulationCenter:0,simulationRepulsion:1,simulationRepulsionTheta:1.15,simulationLinkSpring:1,simulationLinkDistance:10,simulationLinkDistRandomVariationRange:[1,1.2],simulationRepulsionFromMouse:2,simulationFriction:.85,simulationCluster:.1,simulationCollision:0,simulationCollisionRadius:void 0,simulationCollisionPadding:0,enableRightClickRepulsion:!1,onSimulationStart:void 0,onSimulationTick:void 0,onSimulationEnd:void 0,onSimulationPause:void 0,onSimulationUnpause:void 0,onTransitionStart:void 0,onTransition:void 0,onTransitionEnd:void 0,onClick:void 0,onPointClick:void 0,onLinkClick:void 0,onBackgroundClick:void 0,onContextMenu:void 0,onPointContextMenu:void 0,onLinkContextMenu:void 0,onBackgroundContextMenu:void 0,onMouseMove:void 0,onPointMouseOver:void 0,onPointMouseOut:void 0,onLinkMouseOver:void 0,onLinkMouseOut:void 0,onZoomStart:void 0,onZoom:void 0,onZoomEnd:void 0,onDragStart:void 0,onDrag:void 0,onDragEnd:void 0,showFPSMonitor:!1,pixelRatio:typeof window<"u"&&window.devicePixelRatio||2,enableZoom:!0,enableSimulationDuringZoom:!1,initialZoomLevel:void 0,enableDrag:!1,fitViewOnInit:!0,fitViewDelay:250,fitViewPadding:.1,fitViewDuration:250,fitViewByPointsInRect:void 0,fitViewByPointIndices:void 0,pointSamplingDistance:100,linkSamplingDistance:100,randomSeed:void 0,rescalePositions:void 0,attribution:""},G2=.7,K2=.95,S_=0,Df=0;function v_(){let e={};for(let[t,i]of Object.entries(Ut))e[t]=Array.isArray(i)?[...i]:i;return e}function q2(e){Object.assign(e,v_())}function bf(e,t,i=!1){let r={};for(let[n,o]of Object.entries(t))if(o!==void 0)r[n]=o;else if(i){let s=Ut[n];r[n]=Array.isArray(s)?[...s]:s}Object.assign(e,r)}var _t=class{constructor(t,i,r,n,o){this._debugRandomNumber=Math.floor(Math.random()*1e3),this.device=t,this.config=i,this.store=r,this.data=n,o&&(this.points=o)}},Z2=`#version 300 es
precision highp float;

in vec4 rgba;
out vec4 fragColor;

void main() {
  fragColor = rgba;
}`,Q2=`#version 300 es
precision highp float;

uniform sampler2D positionsTexture;
uniform sampler2D exitTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform calculateCentermassUniforms {
  float pointsTextureSize;
} calculateCentermass;

#define pointsTextureSize calculateCentermass.pointsTextureSize
#else
uniform float pointsTextureSize;
#endif

in vec2 pointIndices;

out vec4 rgba;

void main() {
  rgba = vec4(0.0);

  // Absent points must not contribute to the centroid \u2014 a NaN position would
  // poison the sum and break the force for every point. (exit.G = current absence)
  vec4 exitStatus = texture(exitTexture, pointIndices / pointsTextureSize);
  if (exitStatus.g > 0.5) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 0.0;
    return;
  }

  vec4 pointPosition = texture(positionsTexture, pointIndices / pointsTextureSize);
  rgba = vec4(pointPosition.xy, 1.0, 0.0);

  gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
  gl_PointSize = 1.0;
}
`,J2=`#version 300 es
precision highp float;

uniform sampler2D positionsTexture;
uniform sampler2D centermassTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform forceCenterUniforms {
  float centerForce;
  float alpha;
} forceCenter;

#define centerForce forceCenter.centerForce
#define alpha forceCenter.alpha
#else
uniform float centerForce;
uniform float alpha;
#endif

in vec2 textureCoords;
out vec4 fragColor;

void main() {
  vec4 pointPosition = texture(positionsTexture, textureCoords);
  vec4 velocity = vec4(0.0);
  vec4 centermassValues = texture(centermassTexture, vec2(0.0));
  vec2 centermassPosition = centermassValues.xy / centermassValues.b;
  vec2 distVector = centermassPosition - pointPosition.xy;
  float dist = sqrt(dot(distVector, distVector));
  if (dist > 0.0) {
    float angle = atan(distVector.y, distVector.x);
    float addV = alpha * centerForce * dist * 0.01;
    velocity.rg += addV * vec2(cos(angle), sin(angle));
  }

  fragColor = velocity;
}`;function Wn(e){let t=new Float32Array(e*e*2);for(let i=0;i<e;i++)for(let r=0;r<e;r++){let n=i*e*2+r*2;t[n+0]=r,t[n+1]=i}return t}function p_(e,t,i){return!t||t.byteLength!==i.byteLength?(t&&!t.destroyed&&t.destroy(),e.createBuffer({data:i,usage:L.VERTEX|L.COPY_DST})):(t.write(i),t)}function ga(e,t,i,r,n,o){let s=n?n.length/o:0,a=t.length/o;if(s===a&&i&&!i.destroyed&&r&&!r.destroyed){let u=r,f=i;return f.write(t),{source:u,target:f,previous:new Float32Array(t)}}let l=new Float32Array(t.length),c=Math.min(s,a);for(let u=0;u<c*o;u+=1)l[u]=n?.[u]??t[u]??0;for(let u=c*o;u<t.length;u+=1)l[u]=t[u]??0;return i&&!i.destroyed&&i.destroy(),r&&!r.destroyed&&r.destroy(),{source:e.createBuffer({data:l,usage:L.VERTEX|L.COPY_DST}),target:e.createBuffer({data:t,usage:L.VERTEX|L.COPY_DST}),previous:new Float32Array(t)}}function q(e,t){let i=De.getInfo(e);return t*(i.bytesPerPixel??0)}var He=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

in vec2 vertexCoord; // Vertex coordinates in normalized device coordinates
out vec2 textureCoords; // Texture coordinates to pass to the fragment shader

void main() {
    // Convert vertex coordinates from [-1, 1] range to [0, 1] range for texture sampling
    textureCoords = (vertexCoord + 1.0) / 2.0;
    gl_Position = vec4(vertexCoord, 0, 1);
}
`,xa=class extends _t{create(){var t;let{device:i,store:r}=this,{pointsTextureSize:n}=r;if(n){if(this.centermassTexture||(this.centermassTexture=i.createTexture({width:1,height:1,format:"rgba32float",usage:B.SAMPLE|B.RENDER|B.COPY_DST})),this.centermassTexture.copyImageData({data:new Float32Array(4).fill(0),bytesPerRow:q("rgba32float",1),mipLevel:0,x:0,y:0}),this.centermassFbo||(this.centermassFbo=i.createFramebuffer({width:1,height:1,colorAttachments:[this.centermassTexture]})),!this.pointIndices||this.previousPointsTextureSize!==r.pointsTextureSize){this.pointIndices&&!this.pointIndices.destroyed&&this.pointIndices.destroy();let o=Wn(r.pointsTextureSize);this.pointIndices=i.createBuffer({data:o,usage:L.VERTEX|L.COPY_DST}),(t=this.calculateCentermassCommand)==null||t.setAttributes({pointIndices:this.pointIndices})}this.previousPointsTextureSize=n}}initPrograms(){let{device:t,store:i,points:r}=this;!r||!i.pointsTextureSize||!this.centermassFbo||this.centermassFbo.destroyed||!this.centermassTexture||this.centermassTexture.destroyed||(this.forceVertexCoordBuffer||(this.forceVertexCoordBuffer=t.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1])})),this.calculateUniformStore||(this.calculateUniformStore=new oe(t,{calculateCentermassUniforms:{uniformTypes:{pointsTextureSize:"f32"}}})),this.forceUniformStore||(this.forceUniformStore=new oe(t,{forceCenterUniforms:{uniformTypes:{centerForce:"f32",alpha:"f32"}}})),this.calculateCentermassCommand||(this.calculateCentermassCommand=new le(t,{fs:Z2,vs:Q2,topology:"point-list",attributes:{...this.pointIndices&&{pointIndices:this.pointIndices}},bufferLayout:[{name:"pointIndices",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{calculateCentermassUniforms:this.calculateUniformStore.getManagedUniformBuffer("calculateCentermassUniforms")},parameters:{blend:!0,blendColorOperation:"add",blendColorSrcFactor:"one",blendColorDstFactor:"one",blendAlphaOperation:"add",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one",depthWriteEnabled:!1,depthCompare:"always"}})),this.calculateCentermassCommand.setVertexCount(this.data.pointsNumber??0),this.runCommand||(this.runCommand=new le(t,{fs:J2,vs:He,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.forceVertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{forceCenterUniforms:this.forceUniformStore.getManagedUniformBuffer("forceCenterUniforms")},parameters:{depthWriteEnabled:!1,depthCompare:"always"}})))}run(){let{device:t,store:i,points:r}=this;if(!r||!this.calculateCentermassCommand||!this.calculateUniformStore||!this.runCommand||!this.forceUniformStore||!this.centermassFbo||!this.centermassTexture||!r.previousPositionTexture||r.previousPositionTexture.destroyed||!r.velocityFbo||r.velocityFbo.destroyed||!r.exitTexture||r.exitTexture.destroyed||i.pointsTextureSize!==this.previousPointsTextureSize||!this.pointIndices)return;let n=t.beginRenderPass({framebuffer:this.centermassFbo,clearColor:[0,0,0,0]});this.calculateUniformStore.setUniforms({calculateCentermassUniforms:{pointsTextureSize:i.pointsTextureSize??0}}),this.calculateCentermassCommand.setBindings({positionsTexture:r.previousPositionTexture,exitTexture:r.exitTexture}),this.calculateCentermassCommand.draw(n),n.end(),this.forceUniformStore.setUniforms({forceCenterUniforms:{centerForce:this.config.simulationCenter,alpha:i.alpha}}),this.runCommand.setBindings({positionsTexture:r.previousPositionTexture,centermassTexture:this.centermassTexture});let o=t.beginRenderPass({framebuffer:r.velocityFbo,clearColor:[0,0,0,0]});this.runCommand.draw(o),o.end()}destroy(){var t,i,r,n;(t=this.calculateCentermassCommand)==null||t.destroy(),this.calculateCentermassCommand=void 0,(i=this.runCommand)==null||i.destroy(),this.runCommand=void 0,this.centermassFbo&&!this.centermassFbo.destroyed&&this.centermassFbo.destroy(),this.centermassFbo=void 0,this.centermassTexture&&!this.centermassTexture.destroyed&&this.centermassTexture.destroy(),this.centermassTexture=void 0,(r=this.calculateUniformStore)==null||r.destroy(),this.calculateUniformStore=void 0,(n=this.forceUniformStore)==null||n.destroy(),this.forceUniformStore=void 0,this.pointIndices&&!this.pointIndices.destroyed&&this.pointIndices.destroy(),this.pointIndices=void 0,this.forceVertexCoordBuffer&&!this.forceVertexCoordBuffer.destroyed&&this.forceVertexCoordBuffer.destroy(),this.forceVertexCoordBuffer=void 0,this.previousPointsTextureSize=void 0}},e3=`#version 300 es
precision highp float;

uniform sampler2D positionsTexture;
uniform sampler2D sizeTexture;
uniform sampler2D exitTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform buildGridUniforms {
  float pointsTextureSize;
  float gridTextureSize;
  float cellSize;
  vec2 gridOffset; // Offset for multi-pass (0-1 range, multiplied by cellSize)
} buildGrid;

#define pointsTextureSize buildGrid.pointsTextureSize
#define gridTextureSize buildGrid.gridTextureSize
#define cellSize buildGrid.cellSize
#define gridOffset buildGrid.gridOffset
#else
uniform float pointsTextureSize;
uniform float gridTextureSize;
uniform float cellSize;
uniform vec2 gridOffset;
#endif

in vec2 pointIndices;

out vec4 cellData; // xy = position, z = size, w = count (1.0)

void main() {
  // Absent points must not enter the grid \u2014 a NaN position bins to a NaN cell and
  // poisons the accumulated position/size sum for every point in that cell. (exit.g = absent)
  vec4 exitStatus = texture(exitTexture, pointIndices / pointsTextureSize);
  if (exitStatus.g > 0.5) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 0.0;
    return;
  }

  vec4 pointPosition = texture(positionsTexture, pointIndices / pointsTextureSize);
  vec4 pointSize = texture(sizeTexture, pointIndices / pointsTextureSize);

  // Output: position sum, size sum, count
  cellData = vec4(pointPosition.xy, pointSize.r, 1.0);

  // Apply grid offset for multi-pass collision detection
  vec2 offsetPosition = pointPosition.xy + gridOffset * cellSize;

  // Calculate which grid cell this point belongs to
  float cellX = floor(offsetPosition.x / cellSize);
  float cellY = floor(offsetPosition.y / cellSize);

  // Clamp to grid bounds
  cellX = clamp(cellX, 0.0, gridTextureSize - 1.0);
  cellY = clamp(cellY, 0.0, gridTextureSize - 1.0);

  // Convert to clip space coordinates
  vec2 gridPosition = 2.0 * (vec2(cellX, cellY) + 0.5) / gridTextureSize - 1.0;

  gl_Position = vec4(gridPosition, 0.0, 1.0);
  gl_PointSize = 1.0;
}
`,t3=`#version 300 es
precision highp float;

in vec4 cellData;
out vec4 fragColor;

void main() {
  // Output accumulated cell data (blended additively)
  // xy = sum of positions, z = sum of sizes, w = count
  fragColor = cellData;
}
`,i3=`#version 300 es
precision highp float;

uniform sampler2D positionsTexture;
uniform sampler2D sizeTexture;
uniform sampler2D gridTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform forceCollisionUniforms {
  float pointsTextureSize;
  float gridTextureSize;
  float cellSize;
  float alpha;
  float collisionStrength;
  float collisionRadius;
  float collisionPadding;
  float pointsNumber;
  vec2 gridOffset; // Must match the offset used when building the grid
} forceCollision;

#define pointsTextureSize forceCollision.pointsTextureSize
#define gridTextureSize forceCollision.gridTextureSize
#define cellSize forceCollision.cellSize
#define alpha forceCollision.alpha
#define collisionStrength forceCollision.collisionStrength
#define collisionRadius forceCollision.collisionRadius
#define collisionPadding forceCollision.collisionPadding
#define pointsNumber forceCollision.pointsNumber
#define gridOffset forceCollision.gridOffset
#else
uniform float pointsTextureSize;
uniform float gridTextureSize;
uniform float cellSize;
uniform float alpha;
uniform float collisionStrength;
uniform float collisionRadius;
uniform float collisionPadding;
uniform float pointsNumber;
uniform vec2 gridOffset;
#endif

in vec2 textureCoords;
out vec4 fragColor;

void main() {
  vec4 pointPosition = texture(positionsTexture, textureCoords);
  vec4 velocity = vec4(0.0);

  // Get current point's index
  float currentIndex = pointPosition.b;

  // Skip if this is an empty texel
  if (currentIndex < 0.0 || currentIndex >= pointsNumber) {
    fragColor = velocity;
    return;
  }

  // Get current point's size for collision radius
  vec4 currentSizeData = texture(sizeTexture, textureCoords);
  float currentSize = currentSizeData.r;
  float currentCollisionRadius = (collisionRadius > 0.0 ? collisionRadius : currentSize * 0.5) + collisionPadding;

  vec2 currentPos = pointPosition.rg;

  // Apply the same offset used when building the grid
  vec2 offsetPos = currentPos + gridOffset * cellSize;

  // Calculate which grid cell this point is in (with offset).
  // Clamp to the grid bounds to match build-grid.vert, so a point that drifts
  // outside the space still reads the edge cell it was binned into.
  float myCellX = clamp(floor(offsetPos.x / cellSize), 0.0, gridTextureSize - 1.0);
  float myCellY = clamp(floor(offsetPos.y / cellSize), 0.0, gridTextureSize - 1.0);

  // Track total neighbor count for damping
  float totalNeighbors = 0.0;

  // Check 3x3 neighborhood of cells
  for (int dx = -1; dx <= 1; dx++) {
    for (int dy = -1; dy <= 1; dy++) {
      float neighborCellX = myCellX + float(dx);
      float neighborCellY = myCellY + float(dy);

      // Skip cells outside grid bounds
      if (neighborCellX < 0.0 || neighborCellX >= gridTextureSize ||
          neighborCellY < 0.0 || neighborCellY >= gridTextureSize) {
        continue;
      }

      // Sample the grid cell
      vec2 gridCoord = (vec2(neighborCellX, neighborCellY) + 0.5) / gridTextureSize;
      vec4 cellData = texture(gridTexture, gridCoord);

      float cellCount = cellData.w;
      if (cellCount < 0.5) continue; // Empty cell

      // Scale force by number of points in cell
      // Subtract 1 if this is our own cell to avoid self-collision
      float effectiveCount = cellCount;
      if (dx == 0 && dy == 0) {
        effectiveCount = max(0.0, cellCount - 1.0);
      }

      totalNeighbors += effectiveCount;

      // Get average position and size in this cell
      vec2 avgPos = cellData.xy / cellCount;
      float avgSize = cellData.z / cellCount;
      float otherCollisionRadius = (collisionRadius > 0.0 ? collisionRadius : avgSize * 0.5) + collisionPadding;

      // Calculate combined collision radius
      float combinedRadius = currentCollisionRadius + otherCollisionRadius;

      // Calculate distance vector to average position (using original positions)
      vec2 distVector = currentPos - avgPos;
      float dist = length(distVector);

      // Check for collision
      if (dist < combinedRadius && dist > 0.001) {
        // Calculate overlap ratio (0 = just touching, 1 = fully overlapping)
        float overlapRatio = (combinedRadius - dist) / combinedRadius;

        // Soft collision curve: use square root for gentler force near edges
        // This prevents the "ping-pong" effect at boundaries
        float softOverlap = sqrt(overlapRatio) * combinedRadius * 0.5;

        // Direction to push apart (normalized)
        vec2 direction = distVector / dist;

        // Apply repulsion force with soft curve
        // Divide by 4 since we run 4 passes with different offsets
        float force = alpha * collisionStrength * softOverlap * 0.25 * effectiveCount;

        // Clamp maximum force to prevent instability
        force = min(force, combinedRadius * 0.5);

        velocity.rg += force * direction;
      } else if (dist <= 0.001 && effectiveCount > 0.0) {
        // Points at same position - push based on index
        float angle = currentIndex * 0.618033988749895;
        float force = min(alpha * collisionStrength * combinedRadius * 0.1, combinedRadius * 0.3);
        velocity.rg += force * effectiveCount * vec2(cos(angle), sin(angle));
      }
    }
  }

  // Apply density-based damping: reduce force when surrounded by many neighbors
  // This prevents chaotic oscillations in dense clusters
  if (totalNeighbors > 2.0) {
    float damping = 2.0 / totalNeighbors;
    velocity.rg *= damping;
  }

  // Cap the per-pass correction so overlaps resolve by relaxation over a few
  // frames instead of overshooting in one. Across the 4 offset passes the
  // total displacement stays within ~40% of this point's collision radius,
  // which converges without the ping-pong of full-overlap corrections.
  float maxCorrection = currentCollisionRadius * 0.1;
  float correction = length(velocity.rg);
  if (correction > maxCorrection) {
    velocity.rg *= maxCorrection / correction;
  }

  fragColor = velocity;
}
`,zn=[[0,0],[.5,0],[0,.5],[.5,.5]],_a=class extends _t{constructor(){super(...arguments),this.gridTargets=[],this.gridTextureSize=0,this.cellSize=0}create(){var t;let{device:i,store:r,data:n,config:o}=this;if(!r.pointsTextureSize||n.pointsNumber===void 0)return;let s=o.pointDefaultSize??Ut.pointDefaultSize;if(n.pointSizes&&n.pointsNumber!==void 0)for(let f=0;f<n.pointsNumber;f++)s=Math.max(s,n.getResolvedPointSize(f));let a=o.simulationCollisionRadius??0,l=o.simulationCollisionPadding??0,c=(a>0?a:s*.5)+l;this.cellSize=Math.max(c,8),this.gridTextureSize=Math.min(512,Math.max(32,Math.ceil(r.adjustedSpaceSize/this.cellSize))),this.cellSize=r.adjustedSpaceSize/this.gridTextureSize,this.gridTargets.length===zn.length&&this.gridTargets.every(f=>!f.texture.destroyed&&!f.fbo.destroyed&&f.texture.width===this.gridTextureSize)||(this.destroyGridTargets(),this.gridTargets=zn.map(()=>{let f=i.createTexture({width:this.gridTextureSize,height:this.gridTextureSize,format:"rgba32float",usage:B.SAMPLE|B.RENDER|B.COPY_DST}),d=i.createFramebuffer({width:this.gridTextureSize,height:this.gridTextureSize,colorAttachments:[f]});return{texture:f,fbo:d}}));let u=new Float32Array(r.pointsTextureSize*r.pointsTextureSize*4);for(let f=0;f<n.pointsNumber;f++)u[f*4]=n.getResolvedPointSize(f);(!this.sizeTexture||this.sizeTexture.destroyed||this.sizeTexture.width!==r.pointsTextureSize||this.sizeTexture.height!==r.pointsTextureSize)&&(this.sizeTexture&&!this.sizeTexture.destroyed&&this.sizeTexture.destroy(),this.sizeTexture=i.createTexture({width:r.pointsTextureSize,height:r.pointsTextureSize,format:"rgba32float",usage:B.SAMPLE|B.COPY_DST})),this.sizeTexture.copyImageData({data:u,bytesPerRow:q("rgba32float",r.pointsTextureSize),mipLevel:0,x:0,y:0}),(!this.pointIndices||this.previousPointsTextureSize!==r.pointsTextureSize)&&(this.pointIndices&&!this.pointIndices.destroyed&&this.pointIndices.destroy(),this.pointIndices=i.createBuffer({data:Wn(r.pointsTextureSize),usage:L.VERTEX|L.COPY_DST}),(t=this.buildGridCommand)==null||t.setAttributes({pointIndices:this.pointIndices})),this.previousPointsTextureSize=r.pointsTextureSize,this.previousSpaceSize=r.adjustedSpaceSize}initPrograms(){let{device:t,store:i,data:r}=this;!r.pointsNumber||!i.pointsTextureSize||(this.buildGridUniformStore||(this.buildGridUniformStore=new oe(t,{buildGridUniforms:{uniformTypes:{pointsTextureSize:"f32",gridTextureSize:"f32",cellSize:"f32",gridOffset:"vec2<f32>"}}})),this.buildGridCommand||(this.buildGridCommand=new le(t,{fs:t3,vs:e3,topology:"point-list",vertexCount:r.pointsNumber,attributes:{...this.pointIndices&&{pointIndices:this.pointIndices}},bufferLayout:[{name:"pointIndices",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{buildGridUniforms:this.buildGridUniformStore.getManagedUniformBuffer("buildGridUniforms")},parameters:{blend:!0,blendColorOperation:"add",blendColorSrcFactor:"one",blendColorDstFactor:"one",blendAlphaOperation:"add",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one",depthWriteEnabled:!1,depthCompare:"always"}})),this.forceUniformStore||(this.forceUniformStore=new oe(t,{forceCollisionUniforms:{uniformTypes:{pointsTextureSize:"f32",gridTextureSize:"f32",cellSize:"f32",alpha:"f32",collisionStrength:"f32",collisionRadius:"f32",collisionPadding:"f32",pointsNumber:"f32",gridOffset:"vec2<f32>"}}})),this.forceVertexCoordBuffer||(this.forceVertexCoordBuffer=t.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1])})),this.forceCommand||(this.forceCommand=new le(t,{fs:i3,vs:He,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.forceVertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{forceCollisionUniforms:this.forceUniformStore.getManagedUniformBuffer("forceCollisionUniforms")},parameters:{blend:!0,blendColorOperation:"add",blendColorSrcFactor:"one",blendColorDstFactor:"one",blendAlphaOperation:"add",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one",depthWriteEnabled:!1,depthCompare:"always"}})))}run(){let{device:t,store:i,data:r,points:n,config:o}=this;if(!n||!this.buildGridCommand||!this.buildGridUniformStore||!this.forceCommand||!this.forceUniformStore||!this.pointIndices||r.pointsNumber===void 0||!n.previousPositionTexture||n.previousPositionTexture.destroyed||!n.exitTexture||n.exitTexture.destroyed||!n.velocityFbo||n.velocityFbo.destroyed||!this.sizeTexture||this.sizeTexture.destroyed||this.gridTargets.length!==zn.length||i.pointsTextureSize!==this.previousPointsTextureSize||i.adjustedSpaceSize!==this.previousSpaceSize)return;let s=o.simulationCollisionRadius??0,a=o.simulationCollisionPadding??0;this.buildGridCommand.setVertexCount(r.pointsNumber),this.buildGridCommand.setBindings({positionsTexture:n.previousPositionTexture,sizeTexture:this.sizeTexture,exitTexture:n.exitTexture});for(let[c,u]of zn.entries()){let f=this.gridTargets[c];if(!f||f.fbo.destroyed||f.texture.destroyed)continue;this.buildGridUniformStore.setUniforms({buildGridUniforms:{pointsTextureSize:i.pointsTextureSize??0,gridTextureSize:this.gridTextureSize,cellSize:this.cellSize,gridOffset:u}});let d=t.beginRenderPass({framebuffer:f.fbo,clearColor:[0,0,0,0]});this.buildGridCommand.draw(d),d.end()}this.forceCommand.setBindings({positionsTexture:n.previousPositionTexture,sizeTexture:this.sizeTexture});let l=t.beginRenderPass({framebuffer:n.velocityFbo,clearColor:[0,0,0,0]});for(let[c,u]of zn.entries()){let f=this.gridTargets[c];!f||f.texture.destroyed||(this.forceUniformStore.setUniforms({forceCollisionUniforms:{pointsTextureSize:i.pointsTextureSize??0,gridTextureSize:this.gridTextureSize,cellSize:this.cellSize,alpha:i.alpha,collisionStrength:o.simulationCollision??0,collisionRadius:s,collisionPadding:a,pointsNumber:r.pointsNumber,gridOffset:u}}),this.forceCommand.setBindings({gridTexture:f.texture}),this.forceCommand.draw(l))}l.end()}destroy(){var t,i,r,n;(t=this.buildGridCommand)==null||t.destroy(),this.buildGridCommand=void 0,(i=this.forceCommand)==null||i.destroy(),this.forceCommand=void 0,this.destroyGridTargets(),this.sizeTexture&&!this.sizeTexture.destroyed&&this.sizeTexture.destroy(),this.sizeTexture=void 0,(r=this.buildGridUniformStore)==null||r.destroy(),this.buildGridUniformStore=void 0,(n=this.forceUniformStore)==null||n.destroy(),this.forceUniformStore=void 0,this.pointIndices&&!this.pointIndices.destroyed&&this.pointIndices.destroy(),this.pointIndices=void 0,this.forceVertexCoordBuffer&&!this.forceVertexCoordBuffer.destroyed&&this.forceVertexCoordBuffer.destroy(),this.forceVertexCoordBuffer=void 0}destroyGridTargets(){for(let t of this.gridTargets)t.fbo&&!t.fbo.destroyed&&t.fbo.destroy();for(let t of this.gridTargets)t.texture&&!t.texture.destroyed&&t.texture.destroy();this.gridTargets=[]}},r3=`#version 300 es
precision highp float;

uniform sampler2D positionsTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform forceGravityUniforms {
  float gravity;
  float spaceSize;
  float alpha;
} forceGravity;

#define gravity forceGravity.gravity
#define spaceSize forceGravity.spaceSize
#define alpha forceGravity.alpha
#else
uniform float gravity;
uniform float spaceSize;
uniform float alpha;
#endif

in vec2 textureCoords;
out vec4 fragColor;

void main() {
  vec4 pointPosition = texture(positionsTexture, textureCoords);

  vec4 velocity = vec4(0.0);

  vec2 centerPosition = vec2(spaceSize * 0.5);
  vec2 distVector = centerPosition - pointPosition.rg;
  float dist = sqrt(dot(distVector, distVector));
  if (dist > 0.0) {
    float angle = atan(distVector.y, distVector.x);
    float additionalVelocity = alpha * gravity * dist * 0.1;
    velocity.rg += additionalVelocity * vec2(cos(angle), sin(angle));
  }

  fragColor = velocity;
}`,ya=class extends _t{initPrograms(){let{device:t,points:i,store:r}=this;!i||!r.pointsTextureSize||(this.vertexCoordBuffer||(this.vertexCoordBuffer=t.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1])})),this.uniformStore||(this.uniformStore=new oe(t,{forceGravityUniforms:{uniformTypes:{gravity:"f32",spaceSize:"f32",alpha:"f32"}}})),this.runCommand||(this.runCommand=new le(t,{fs:r3,vs:He,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.vertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{forceGravityUniforms:this.uniformStore.getManagedUniformBuffer("forceGravityUniforms")},parameters:{depthWriteEnabled:!1,depthCompare:"always"}})))}run(){let{device:t,points:i,store:r}=this;if(!i||!this.runCommand||!this.uniformStore||!i.previousPositionTexture||i.previousPositionTexture.destroyed||!i.velocityFbo||i.velocityFbo.destroyed)return;this.uniformStore.setUniforms({forceGravityUniforms:{gravity:this.config.simulationGravity,spaceSize:r.adjustedSpaceSize,alpha:r.alpha}}),this.runCommand.setBindings({positionsTexture:i.previousPositionTexture});let n=t.beginRenderPass({framebuffer:i.velocityFbo,clearColor:[0,0,0,0]});this.runCommand.draw(n),n.end()}destroy(){var t,i;(t=this.runCommand)==null||t.destroy(),this.runCommand=void 0,(i=this.uniformStore)==null||i.destroy(),this.uniformStore=void 0,this.vertexCoordBuffer&&!this.vertexCoordBuffer.destroyed&&this.vertexCoordBuffer.destroy(),this.vertexCoordBuffer=void 0}};function n3(e){return`#version 300 es
precision highp float;

uniform sampler2D positionsTexture;
uniform sampler2D exitTexture;
uniform sampler2D linkInfoTexture; // Texture storing first link indices and amount
uniform sampler2D linkIndicesTexture;
uniform sampler2D linkPropertiesTexture; // Texture storing link bias and strength
uniform sampler2D linkRandomDistanceTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform forceLinkUniforms {
  float linkSpring;
  float linkDistance;
  vec2 linkDistRandomVariationRange;
  float pointsTextureSize;
  float linksTextureSize;
  float alpha;
} forceLink;

#define linkSpring forceLink.linkSpring
#define linkDistance forceLink.linkDistance
#define linkDistRandomVariationRange forceLink.linkDistRandomVariationRange
#define pointsTextureSize forceLink.pointsTextureSize
#define linksTextureSize forceLink.linksTextureSize
#define alpha forceLink.alpha
#else
uniform float linkSpring;
uniform float linkDistance;
uniform vec2 linkDistRandomVariationRange;
uniform float pointsTextureSize;
uniform float linksTextureSize;
uniform float alpha;
#endif

in vec2 textureCoords;
out vec4 fragColor;

const float MAX_LINKS = ${e}.0;

void main() {
  vec4 pointPosition = texture(positionsTexture, textureCoords);
  vec4 velocity = vec4(0.0);

  vec4 linkInfo = texture(linkInfoTexture, textureCoords);
  float iCount = linkInfo.r;
  float jCount = linkInfo.g;
  float linkAmount = linkInfo.b;
  if (linkAmount > 0.0) {
    for (float i = 0.0; i < MAX_LINKS; i += 1.0) {
      if (i < linkAmount) {
        if (iCount >= linksTextureSize) {
          iCount = 0.0;
          jCount += 1.0;
        }
        vec2 linkTextureIndex = (vec2(iCount, jCount) + 0.5) / linksTextureSize;
        vec4 connectedPointIndex = texture(linkIndicesTexture, linkTextureIndex);
        vec4 biasAndStrength = texture(linkPropertiesTexture, linkTextureIndex);
        vec4 randomMinDistance = texture(linkRandomDistanceTexture, linkTextureIndex);
        float bias = biasAndStrength.r;
        float strength = biasAndStrength.g;
        float randomMinLinkDist = randomMinDistance.r * (linkDistRandomVariationRange.g - linkDistRandomVariationRange.r) + linkDistRandomVariationRange.r;
        randomMinLinkDist *= linkDistance;

        iCount += 1.0;

        // Skip a link to an absent point \u2014 its position would poison the spring
        // force. (exit.G = current absence)
        vec4 connectedExit = texture(exitTexture, (connectedPointIndex.rg + 0.5) / pointsTextureSize);
        if (connectedExit.g > 0.5) {
          continue;
        }

        vec4 connectedPointPosition = texture(positionsTexture, (connectedPointIndex.rg + 0.5) / pointsTextureSize);
        float x = connectedPointPosition.x - (pointPosition.x + velocity.x);
        float y = connectedPointPosition.y - (pointPosition.y + velocity.y);
        float l = sqrt(x * x + y * y);

        // Apply the link force
        l = max(l, randomMinLinkDist * 0.99);
        l = (l - randomMinLinkDist) / l;
        l *= linkSpring * alpha;
        l *= strength;
        l *= bias;
        x *= l;
        y *= l;
        velocity.x += x;
        velocity.y += y;
      }
    }
  }

  fragColor = vec4(velocity.rg, 0.0, 0.0);
}
  `}function ee(e,t){return!e||e.length!==2?t:[e[0],e[1]]}function ue(e,t){return!e||e.length!==4?t:[e[0],e[1],e[2],e[3]]}var Cf=e=>Number.isInteger(e)?e.toFixed(1):String(e),Af=(e=>(e.OUTGOING="outgoing",e.INCOMING="incoming",e))(Af||{}),wr=class extends _t{constructor(){super(...arguments),this.linkFirstIndicesAndAmount=new Float32Array,this.indices=new Float32Array,this.maxPointDegree=0}create(t){var i;let{device:r,store:{pointsTextureSize:n,linksTextureSize:o},data:s}=this;if(!n||!o)return;this.linkFirstIndicesAndAmount=new Float32Array(n*n*4),this.indices=new Float32Array(o*o*4);let a=new Float32Array(o*o*4),l=new Float32Array(o*o*4),c=t==="incoming"?s.sourceIndexToTargetIndices:s.targetIndexToSourceIndices;this.maxPointDegree=0;let u=0;c?.forEach((h,m)=>{h&&(this.linkFirstIndicesAndAmount[m*4+0]=u%o,this.linkFirstIndicesAndAmount[m*4+1]=Math.floor(u/o),this.linkFirstIndicesAndAmount[m*4+2]=h.length??0,h.forEach(([g,b])=>{var x,v,T;this.indices[u*4+0]=g%n,this.indices[u*4+1]=Math.floor(g/n);let _=((x=s.degree)==null?void 0:x[g])??0,w=((v=s.degree)==null?void 0:v[m])??0,A=_+w,I=A!==0?_/A:.5,z=Math.min(_,w),N=((T=s.linkStrength)==null?void 0:T[b])??1/Math.max(z,1);N=Math.sqrt(N),a[u*4+0]=I,a[u*4+1]=N,l[u*4]=this.store.getRandomFloat(0,1),u+=1}),this.maxPointDegree=Math.max(this.maxPointDegree,h.length??0))});let f=!this.linkFirstIndicesAndAmountTexture||this.linkFirstIndicesAndAmountTexture.width!==n||this.linkFirstIndicesAndAmountTexture.height!==n,d=!this.indicesTexture||this.indicesTexture.width!==o||this.indicesTexture.height!==o;f&&(this.linkFirstIndicesAndAmountTexture&&!this.linkFirstIndicesAndAmountTexture.destroyed&&this.linkFirstIndicesAndAmountTexture.destroy(),this.linkFirstIndicesAndAmountTexture=r.createTexture({width:n,height:n,format:"rgba32float",usage:B.SAMPLE|B.COPY_DST})),this.linkFirstIndicesAndAmountTexture.copyImageData({data:this.linkFirstIndicesAndAmount,bytesPerRow:q("rgba32float",n),mipLevel:0,x:0,y:0}),d&&(this.indicesTexture&&!this.indicesTexture.destroyed&&this.indicesTexture.destroy(),this.biasAndStrengthTexture&&!this.biasAndStrengthTexture.destroyed&&this.biasAndStrengthTexture.destroy(),this.randomDistanceTexture&&!this.randomDistanceTexture.destroyed&&this.randomDistanceTexture.destroy(),this.indicesTexture=r.createTexture({width:o,height:o,format:"rgba32float",usage:B.SAMPLE|B.COPY_DST}),this.biasAndStrengthTexture=r.createTexture({width:o,height:o,format:"rgba32float",usage:B.SAMPLE|B.COPY_DST}),this.randomDistanceTexture=r.createTexture({width:o,height:o,format:"rgba32float",usage:B.SAMPLE|B.COPY_DST})),this.indicesTexture.copyImageData({data:this.indices,bytesPerRow:q("rgba32float",o),mipLevel:0,x:0,y:0}),this.biasAndStrengthTexture.copyImageData({data:a,bytesPerRow:q("rgba32float",o),mipLevel:0,x:0,y:0}),this.randomDistanceTexture.copyImageData({data:l,bytesPerRow:q("rgba32float",o),mipLevel:0,x:0,y:0}),this.previousMaxPointDegree!==void 0&&this.previousMaxPointDegree!==this.maxPointDegree&&((i=this.runCommand)==null||i.destroy(),this.runCommand=void 0),this.previousMaxPointDegree=this.maxPointDegree,this.previousPointsTextureSize=n,this.previousLinksTextureSize=o}initPrograms(){let{device:t,store:i,points:r}=this;!r||!i.pointsTextureSize||!i.linksTextureSize||!this.linkFirstIndicesAndAmountTexture||!this.indicesTexture||!this.biasAndStrengthTexture||!this.randomDistanceTexture||(this.vertexCoordBuffer||(this.vertexCoordBuffer=t.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1])})),this.uniformStore||(this.uniformStore=new oe(t,{forceLinkUniforms:{uniformTypes:{linkSpring:"f32",linkDistance:"f32",linkDistRandomVariationRange:"vec2<f32>",pointsTextureSize:"f32",linksTextureSize:"f32",alpha:"f32"}}})),this.runCommand||(this.runCommand=new le(t,{fs:n3(this.maxPointDegree),vs:He,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.vertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{forceLinkUniforms:this.uniformStore.getManagedUniformBuffer("forceLinkUniforms")},parameters:{depthWriteEnabled:!1,depthCompare:"always"}})))}run(){let{device:t,store:i,points:r}=this;if(!r||!this.runCommand||!this.uniformStore||!r.previousPositionTexture||r.previousPositionTexture.destroyed||!r.exitTexture||r.exitTexture.destroyed||!this.linkFirstIndicesAndAmountTexture||!this.indicesTexture||!this.biasAndStrengthTexture||!this.randomDistanceTexture||!r.velocityFbo||r.velocityFbo.destroyed||i.pointsTextureSize!==this.previousPointsTextureSize||i.linksTextureSize!==this.previousLinksTextureSize)return;this.uniformStore.setUniforms({forceLinkUniforms:{linkSpring:this.config.simulationLinkSpring,linkDistance:this.config.simulationLinkDistance,linkDistRandomVariationRange:ee(this.config.simulationLinkDistRandomVariationRange,[0,0]),pointsTextureSize:i.pointsTextureSize,linksTextureSize:i.linksTextureSize,alpha:i.alpha}}),this.runCommand.setBindings({positionsTexture:r.previousPositionTexture,exitTexture:r.exitTexture,linkInfoTexture:this.linkFirstIndicesAndAmountTexture,linkIndicesTexture:this.indicesTexture,linkPropertiesTexture:this.biasAndStrengthTexture,linkRandomDistanceTexture:this.randomDistanceTexture});let n=t.beginRenderPass({framebuffer:r.velocityFbo,clearColor:[0,0,0,0]});this.runCommand.draw(n),n.end()}destroy(){var t,i;(t=this.runCommand)==null||t.destroy(),this.runCommand=void 0,this.linkFirstIndicesAndAmountTexture&&!this.linkFirstIndicesAndAmountTexture.destroyed&&this.linkFirstIndicesAndAmountTexture.destroy(),this.linkFirstIndicesAndAmountTexture=void 0,this.indicesTexture&&!this.indicesTexture.destroyed&&this.indicesTexture.destroy(),this.indicesTexture=void 0,this.biasAndStrengthTexture&&!this.biasAndStrengthTexture.destroyed&&this.biasAndStrengthTexture.destroy(),this.biasAndStrengthTexture=void 0,this.randomDistanceTexture&&!this.randomDistanceTexture.destroyed&&this.randomDistanceTexture.destroy(),this.randomDistanceTexture=void 0,(i=this.uniformStore)==null||i.destroy(),this.uniformStore=void 0,this.vertexCoordBuffer&&!this.vertexCoordBuffer.destroyed&&this.vertexCoordBuffer.destroy(),this.vertexCoordBuffer=void 0}},o3=`#version 300 es
precision highp float;

in vec4 vColor;
out vec4 fragColor;

void main() {
  fragColor = vColor;
}`,s3=`#version 300 es
precision highp float;

uniform sampler2D positionsTexture;
uniform sampler2D exitTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform calculateLevelsUniforms {
  float pointsTextureSize;
  float levelTextureSize;
  float cellSize;
} calculateLevels;

#define pointsTextureSize calculateLevels.pointsTextureSize
#define levelTextureSize calculateLevels.levelTextureSize
#define cellSize calculateLevels.cellSize
#else
uniform float pointsTextureSize;
uniform float levelTextureSize;
uniform float cellSize;
#endif

in vec2 pointIndices;

out vec4 vColor;

void main() {
  vColor = vec4(0.0);

  // Absent points must not enter the grid \u2014 a NaN position bins to a NaN cell and
  // poisons the centermass that drives repulsion for every point. (exit.G = absent)
  vec4 exitStatus = texture(exitTexture, pointIndices / pointsTextureSize);
  if (exitStatus.g > 0.5) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 0.0;
    return;
  }

  vec4 pointPosition = texture(positionsTexture, pointIndices / pointsTextureSize);
  vColor = vec4(pointPosition.rg, 1.0, 0.0);

  float n = floor(pointPosition.x / cellSize);
  float m = floor(pointPosition.y / cellSize);
  
  vec2 levelPosition = 2.0 * (vec2(n, m) + 0.5) / levelTextureSize - 1.0;

  gl_Position = vec4(levelPosition, 0.0, 1.0);
  gl_PointSize = 1.0;
}`,a3=`#version 300 es
precision highp float;

uniform sampler2D positionsTexture;
uniform sampler2D levelFbo;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform forceUniforms {
  float level;
  float levels;
  float levelTextureSize;
  float alpha;
  float repulsion;
  float spaceSize;
  float theta;
} force;

#define level force.level
#define levels force.levels
#define levelTextureSize force.levelTextureSize
#define alpha force.alpha
#define repulsion force.repulsion
#define spaceSize force.spaceSize
#define theta force.theta
#else
uniform float level;
uniform float levels;
uniform float levelTextureSize;
uniform float repulsion;
uniform float alpha;
uniform float spaceSize;
uniform float theta;
#endif

in vec2 textureCoords;
out vec4 fragColor;

const float MAX_LEVELS_NUM = 14.0;

vec2 calculateAdditionalVelocity (vec2 ij, vec2 pp) {
  vec2 add = vec2(0.0);
  vec4 centermass = texture(levelFbo, ij);
  if (centermass.r > 0.0 && centermass.g > 0.0 && centermass.b > 0.0) {
    vec2 centermassPosition = vec2(centermass.rg / centermass.b);
    vec2 distVector = pp - centermassPosition;
    float l = dot(distVector, distVector);
    float dist = sqrt(l);
    if (l > 0.0) {
      float c = alpha * repulsion * centermass.b;

      float distanceMin2 = 1.0;
      if (l < distanceMin2) l = sqrt(distanceMin2 * l);
      float addV = c / sqrt(l);
      add = addV * normalize(distVector);
    }
  }
  return add;
}

void main() {
  vec4 pointPosition = texture(positionsTexture, textureCoords);
  float x = pointPosition.x;
  float y = pointPosition.y;

  float left = 0.0;
  float top = 0.0;
  float right = spaceSize;
  float bottom = spaceSize;

  float n_left = 0.0;
  float n_top = 0.0;
  float n_right = 0.0;
  float n_bottom = 0.0;

  float cellSize = 0.0;

  // Iterate over levels to adjust the boundaries based on the current level
  for (float i = 0.0; i < MAX_LEVELS_NUM; i += 1.0) {
    if (i <= level) {
      left += cellSize * n_left;
      top += cellSize * n_top;
      right -= cellSize * n_right;
      bottom -= cellSize * n_bottom;

      cellSize = pow(2.0 , levels - i - 1.0);

      float dist_left = x - left;
      n_left = max(0.0, floor(dist_left / cellSize - theta));

      float dist_top = y - top;
      n_top = max(0.0, floor(dist_top / cellSize - theta));
      
      float dist_right = right - x;
      n_right = max(0.0, floor(dist_right / cellSize - theta));

      float dist_bottom = bottom - y;
      n_bottom = max(0.0, floor(dist_bottom / cellSize - theta));

    }
  }

  vec4 velocity = vec4(vec2(0.0), 1.0, 0.0);

  // Calculate the additional velocity based on neighboring cells
  for (float i = 0.0; i < 12.0; i += 1.0) {
    for (float j = 0.0; j < 4.0; j += 1.0) {
      float n = left + cellSize * j;
      float m = top + cellSize * n_top + cellSize * i;

      if (n < (left + n_left * cellSize) && m < bottom) {
        velocity.xy += calculateAdditionalVelocity(vec2(n / cellSize, m / cellSize) / levelTextureSize, pointPosition.xy);
      }

      n = left + cellSize * i;
      m = top + cellSize * j;

      if (n < (right - n_right * cellSize) && m < (top + n_top * cellSize)) {
        velocity.xy += calculateAdditionalVelocity(vec2(n / cellSize, m / cellSize) / levelTextureSize, pointPosition.xy);
      }

      n = right - n_right * cellSize + cellSize * j;
      m = top + cellSize * i;

      if (n < right && m < (bottom - n_bottom * cellSize)) {
        velocity.xy += calculateAdditionalVelocity(vec2(n / cellSize, m / cellSize) / levelTextureSize, pointPosition.xy);
      }

      n = left + n_left * cellSize + cellSize * i;
      m = bottom - n_bottom * cellSize + cellSize * j;

      if (n < right && m < bottom) {
        velocity.xy += calculateAdditionalVelocity(vec2(n / cellSize, m / cellSize) / levelTextureSize, pointPosition.xy);
      }
    }
  }

  fragColor = velocity;
}`,l3=`#version 300 es
precision highp float;

uniform sampler2D positionsTexture;
uniform sampler2D levelFbo;
uniform sampler2D randomValues;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform forceCenterUniforms {
  float levelTextureSize;
  float alpha;
  float repulsion;
} forceCenter;

#define levelTextureSize forceCenter.levelTextureSize
#define repulsion forceCenter.repulsion
#define alpha forceCenter.alpha
#else
uniform float levelTextureSize;
uniform float alpha;
uniform float repulsion;
#endif

in vec2 textureCoords;
out vec4 fragColor;

// Calculate the additional velocity based on the center of mass
vec2 calculateAdditionalVelocity (vec2 ij, vec2 pp) {
  vec2 add = vec2(0.0);
  vec4 centermass = texture(levelFbo, ij);
  if (centermass.r > 0.0 && centermass.g > 0.0 && centermass.b > 0.0) {
    vec2 centermassPosition = vec2(centermass.rg / centermass.b);
    vec2 distVector = pp - centermassPosition;
    float l = dot(distVector, distVector);
    float dist = sqrt(l);
    if (l > 0.0) {
      float angle = atan(distVector.y, distVector.x);
      float c = alpha * repulsion * centermass.b;

      float distanceMin2 = 1.0;
      if (l < distanceMin2) l = sqrt(distanceMin2 * l);
      float addV = c / sqrt(l);
      add = addV * vec2(cos(angle), sin(angle));
    }
  }
  return add;
}

void main() {
  vec4 pointPosition = texture(positionsTexture, textureCoords);
  vec4 random = texture(randomValues, textureCoords);

  vec4 velocity = vec4(0.0);

  // Calculate additional velocity based on the point position
  velocity.xy += calculateAdditionalVelocity(pointPosition.xy / levelTextureSize, pointPosition.xy);
  // Apply random factor to the velocity
  velocity.xy += velocity.xy * random.rg;

  fragColor = velocity;
}`,ba=class extends _t{constructor(){super(...arguments),this.levels=0,this.levelTargets=new Map}create(){var t;let{device:i,store:r}=this;if(!r.pointsTextureSize)return;this.levels=Math.log2(r.adjustedSpaceSize);for(let s=0;s<this.levels;s+=1){let a=Math.pow(2,s+1),l=this.levelTargets.get(s);if(l&&l.texture.width===a&&l.texture.height===a){l.texture.copyImageData({data:new Float32Array(a*a*4).fill(0),bytesPerRow:q("rgba32float",a),mipLevel:0,x:0,y:0});continue}l&&(l.fbo.destroyed||l.fbo.destroy(),l.texture.destroyed||l.texture.destroy());let c=i.createTexture({width:a,height:a,format:"rgba32float",usage:B.SAMPLE|B.RENDER|B.COPY_DST});c.copyImageData({data:new Float32Array(a*a*4).fill(0),bytesPerRow:q("rgba32float",a),mipLevel:0,x:0,y:0});let u=i.createFramebuffer({width:a,height:a,colorAttachments:[c]});this.levelTargets.set(s,{texture:c,fbo:u})}for(let[s,a]of Array.from(this.levelTargets.entries()))s>=this.levels&&(a.fbo.destroyed||a.fbo.destroy(),a.texture.destroyed||a.texture.destroy(),this.levelTargets.delete(s));let n=r.pointsTextureSize*r.pointsTextureSize,o=new Float32Array(n*4);for(let s=0;s<n;++s)o[s*4]=r.getRandomFloat(-1,1)*1e-5,o[s*4+1]=r.getRandomFloat(-1,1)*1e-5;if((!this.randomValuesTexture||this.randomValuesTexture.destroyed||this.randomValuesTexture.width!==r.pointsTextureSize||this.randomValuesTexture.height!==r.pointsTextureSize)&&(this.randomValuesTexture&&!this.randomValuesTexture.destroyed&&this.randomValuesTexture.destroy(),this.randomValuesTexture=i.createTexture({width:r.pointsTextureSize,height:r.pointsTextureSize,format:"rgba32float",usage:B.SAMPLE|B.COPY_DST})),this.randomValuesTexture.copyImageData({data:o,bytesPerRow:q("rgba32float",r.pointsTextureSize),mipLevel:0,x:0,y:0}),!this.pointIndices||this.previousPointsTextureSize!==r.pointsTextureSize){this.pointIndices&&!this.pointIndices.destroyed&&this.pointIndices.destroy();let s=Wn(r.pointsTextureSize);this.pointIndices=i.createBuffer({data:s,usage:L.VERTEX|L.COPY_DST}),(t=this.calculateLevelsCommand)==null||t.setAttributes({pointIndices:this.pointIndices})}this.previousPointsTextureSize=r.pointsTextureSize,this.previousSpaceSize=r.adjustedSpaceSize}initPrograms(){let{device:t,store:i,data:r,points:n}=this;!r.pointsNumber||!n||!i.pointsTextureSize||(this.calculateLevelsUniformStore||(this.calculateLevelsUniformStore=new oe(t,{calculateLevelsUniforms:{uniformTypes:{pointsTextureSize:"f32",levelTextureSize:"f32",cellSize:"f32"},defaultUniforms:{pointsTextureSize:i.pointsTextureSize,levelTextureSize:0,cellSize:0}}})),this.calculateLevelsCommand||(this.calculateLevelsCommand=new le(t,{fs:o3,vs:s3,topology:"point-list",vertexCount:r.pointsNumber,attributes:{...this.pointIndices&&{pointIndices:this.pointIndices}},bufferLayout:[{name:"pointIndices",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{calculateLevelsUniforms:this.calculateLevelsUniformStore.getManagedUniformBuffer("calculateLevelsUniforms")},parameters:{blend:!0,blendColorOperation:"add",blendColorSrcFactor:"one",blendColorDstFactor:"one",blendAlphaOperation:"add",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one",depthWriteEnabled:!1,depthCompare:"always"}})),this.forceUniformStore||(this.forceUniformStore=new oe(t,{forceUniforms:{uniformTypes:{level:"f32",levels:"f32",levelTextureSize:"f32",alpha:"f32",repulsion:"f32",spaceSize:"f32",theta:"f32"},defaultUniforms:{level:0,levels:this.levels,levelTextureSize:0,alpha:i.alpha,repulsion:this.config.simulationRepulsion,spaceSize:i.adjustedSpaceSize,theta:this.config.simulationRepulsionTheta}}})),this.forceVertexCoordBuffer||(this.forceVertexCoordBuffer=t.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1])})),this.forceCommand||(this.forceCommand=new le(t,{fs:a3,vs:He,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.forceVertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{forceUniforms:this.forceUniformStore.getManagedUniformBuffer("forceUniforms")},parameters:{blend:!0,blendColorOperation:"add",blendColorSrcFactor:"one",blendColorDstFactor:"one",blendAlphaOperation:"add",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one",depthWriteEnabled:!1,depthCompare:"always"}})),this.forceCenterUniformStore||(this.forceCenterUniformStore=new oe(t,{forceCenterUniforms:{uniformTypes:{levelTextureSize:"f32",alpha:"f32",repulsion:"f32"},defaultUniforms:{levelTextureSize:0,alpha:i.alpha,repulsion:this.config.simulationRepulsion}}})),this.forceFromItsOwnCentermassCommand||(this.forceFromItsOwnCentermassCommand=new le(t,{fs:l3,vs:He,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.forceVertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{forceCenterUniforms:this.forceCenterUniformStore.getManagedUniformBuffer("forceCenterUniforms")},parameters:{blend:!0,blendColorOperation:"add",blendColorSrcFactor:"one",blendColorDstFactor:"one",blendAlphaOperation:"add",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one",depthWriteEnabled:!1,depthCompare:"always"}})))}run(){this.store.pointsTextureSize!==this.previousPointsTextureSize||this.store.adjustedSpaceSize!==this.previousSpaceSize||(this.drawLevels(),this.drawForces())}destroy(){var t,i,r,n,o,s;(t=this.calculateLevelsCommand)==null||t.destroy(),this.calculateLevelsCommand=void 0,(i=this.forceCommand)==null||i.destroy(),this.forceCommand=void 0,(r=this.forceFromItsOwnCentermassCommand)==null||r.destroy(),this.forceFromItsOwnCentermassCommand=void 0;for(let a of this.levelTargets.values())a.fbo&&!a.fbo.destroyed&&a.fbo.destroy();this.randomValuesTexture&&!this.randomValuesTexture.destroyed&&this.randomValuesTexture.destroy(),this.randomValuesTexture=void 0;for(let a of this.levelTargets.values())a.texture&&!a.texture.destroyed&&a.texture.destroy();this.levelTargets.clear(),(n=this.calculateLevelsUniformStore)==null||n.destroy(),this.calculateLevelsUniformStore=void 0,(o=this.forceUniformStore)==null||o.destroy(),this.forceUniformStore=void 0,(s=this.forceCenterUniformStore)==null||s.destroy(),this.forceCenterUniformStore=void 0,this.pointIndices&&!this.pointIndices.destroyed&&this.pointIndices.destroy(),this.pointIndices=void 0,this.forceVertexCoordBuffer&&!this.forceVertexCoordBuffer.destroyed&&this.forceVertexCoordBuffer.destroy(),this.forceVertexCoordBuffer=void 0}drawLevels(){let{device:t,store:i,data:r,points:n}=this;if(n&&!(!this.calculateLevelsCommand||!this.calculateLevelsUniformStore)&&!(!n.previousPositionTexture||n.previousPositionTexture.destroyed)&&!(!n.exitTexture||n.exitTexture.destroyed)&&r.pointsNumber&&this.pointIndices)for(let o=0;o<this.levels;o+=1){let s=this.levelTargets.get(o);if(!s||s.fbo.destroyed||s.texture.destroyed)continue;let a=Math.pow(2,o+1),l=i.adjustedSpaceSize/a;this.calculateLevelsUniformStore.setUniforms({calculateLevelsUniforms:{pointsTextureSize:i.pointsTextureSize??0,levelTextureSize:a,cellSize:l}}),this.calculateLevelsCommand.setVertexCount(r.pointsNumber),this.calculateLevelsCommand.setBindings({positionsTexture:n.previousPositionTexture,exitTexture:n.exitTexture});let c=t.beginRenderPass({framebuffer:s.fbo,clearColor:[0,0,0,0]});this.calculateLevelsCommand.draw(c),c.end()}}drawForces(){let{device:t,store:i,points:r}=this;if(!r||!this.forceCommand||!this.forceUniformStore||!this.forceFromItsOwnCentermassCommand||!this.forceCenterUniformStore||!r.previousPositionTexture||r.previousPositionTexture.destroyed||!this.randomValuesTexture||this.randomValuesTexture.destroyed||!r.velocityFbo||r.velocityFbo.destroyed)return;let n=t.beginRenderPass({framebuffer:r.velocityFbo,clearColor:[0,0,0,0]});for(let o=0;o<this.levels;o+=1){let s=this.levelTargets.get(o);if(!s||s.texture.destroyed)continue;let a=Math.pow(2,o+1);this.forceUniformStore.setUniforms({forceUniforms:{level:o,levels:this.levels,levelTextureSize:a,alpha:i.alpha,repulsion:this.config.simulationRepulsion,spaceSize:i.adjustedSpaceSize,theta:this.config.simulationRepulsionTheta}}),this.forceCommand.setBindings({positionsTexture:r.previousPositionTexture,levelFbo:s.texture}),this.forceCommand.draw(n),o===this.levels-1&&(this.forceCenterUniformStore.setUniforms({forceCenterUniforms:{levelTextureSize:a,alpha:i.alpha,repulsion:this.config.simulationRepulsion}}),this.forceFromItsOwnCentermassCommand.setBindings({positionsTexture:r.previousPositionTexture,randomValues:this.randomValuesTexture,levelFbo:s.texture}),this.forceFromItsOwnCentermassCommand.draw(n))}n.end()}},c3=`#version 300 es
precision highp float;

uniform sampler2D positionsTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform forceMouseUniforms {
  float repulsion;
  vec2 mousePos;
} forceMouse;

#define repulsion forceMouse.repulsion
#define mousePos forceMouse.mousePos
#else
uniform float repulsion;
uniform vec2 mousePos;
#endif

in vec2 textureCoords;
out vec4 fragColor;

void main() {
  vec4 pointPosition = texture(positionsTexture, textureCoords);
  vec4 velocity = vec4(0.0);
  vec2 mouse = mousePos;
  // Move particles away from the mouse position using a repulsive force
  vec2 distVector = mouse - pointPosition.rg;
  float dist = sqrt(dot(distVector, distVector));
  dist = max(dist, 10.0);
  float angle = atan(distVector.y, distVector.x);
  float addV = 100.0 * repulsion / (dist * dist);
  velocity.rg -= addV * vec2(cos(angle), sin(angle));

  fragColor = velocity;
}`,Sa=class extends _t{initPrograms(){let{device:t,points:i}=this;i&&(this.vertexCoordBuffer||(this.vertexCoordBuffer=t.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1])})),this.uniformStore||(this.uniformStore=new oe(t,{forceMouseUniforms:{uniformTypes:{repulsion:"f32",mousePos:"vec2<f32>"}}})),this.runCommand||(this.runCommand=new le(t,{fs:c3,vs:He,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.vertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{forceMouseUniforms:this.uniformStore.getManagedUniformBuffer("forceMouseUniforms")},parameters:{depthWriteEnabled:!1,depthCompare:"always"}})))}run(){let{device:t,points:i,store:r}=this;if(!i||!this.runCommand||!this.uniformStore||!i.previousPositionTexture||i.previousPositionTexture.destroyed||!i.velocityFbo||i.velocityFbo.destroyed)return;this.uniformStore.setUniforms({forceMouseUniforms:{repulsion:this.config.simulationRepulsionFromMouse,mousePos:ee(r.mousePosition,[0,0])}}),this.runCommand.setBindings({positionsTexture:i.previousPositionTexture});let n=t.beginRenderPass({framebuffer:i.velocityFbo,clearColor:[0,0,0,0]});this.runCommand.draw(n),n.end()}destroy(){var t,i;(t=this.runCommand)==null||t.destroy(),this.runCommand=void 0,(i=this.uniformStore)==null||i.destroy(),this.uniformStore=void 0,this.vertexCoordBuffer&&!this.vertexCoordBuffer.destroyed&&this.vertexCoordBuffer.destroy(),this.vertexCoordBuffer=void 0}},u3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

in vec4 rgba;

out vec4 fragColor;

void main() {
  fragColor = rgba;
}`,f3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

uniform sampler2D positionsTexture;
uniform sampler2D clusterTexture;
uniform sampler2D exitTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform calculateCentermassUniforms {
  float pointsTextureSize;
  float clustersTextureSize;
} calculateCentermass;

#define pointsTextureSize calculateCentermass.pointsTextureSize
#define clustersTextureSize calculateCentermass.clustersTextureSize
#else
uniform float pointsTextureSize;
uniform float clustersTextureSize;
#endif

in vec2 pointIndices;

out vec4 rgba;

void main() {
  rgba = vec4(0.0);

  // Absent points must not contribute to their cluster's centroid. (exit.G = absent)
  vec4 exitStatus = texture(exitTexture, pointIndices / pointsTextureSize);
  if (exitStatus.g > 0.5) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 0.0;
    return;
  }

  vec4 pointPosition = texture(positionsTexture, pointIndices / pointsTextureSize);
  rgba = vec4(pointPosition.xy, 1.0, 0.0);

  vec4 pointClusterIndices = texture(clusterTexture, pointIndices / pointsTextureSize);
  vec2 xy = vec2(0.0);
  if (pointClusterIndices.x >= 0.0 && pointClusterIndices.y >= 0.0) {
    xy = 2.0 * (pointClusterIndices.xy + 0.5) / clustersTextureSize - 1.0;
  }
  
  gl_Position = vec4(xy, 0.0, 1.0);
  gl_PointSize = 1.0;
}
`,d3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

uniform sampler2D positionsTexture;
uniform sampler2D centermassTexture;
uniform sampler2D clusterTexture;
uniform sampler2D clusterPositionsTexture;
uniform sampler2D clusterForceCoefficient;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform applyForcesUniforms {
  float alpha;
  float clustersTextureSize;
  float clusterCoefficient;
} applyForces;

#define alpha applyForces.alpha
#define clustersTextureSize applyForces.clustersTextureSize
#define clusterCoefficient applyForces.clusterCoefficient
#else
uniform float alpha;
uniform float clustersTextureSize;
uniform float clusterCoefficient;
#endif

in vec2 textureCoords;

out vec4 fragColor;


void main() {
  vec4 pointPosition = texture(positionsTexture, textureCoords);
  vec4 velocity = vec4(0.0);
  vec4 pointClusterIndices = texture(clusterTexture, textureCoords);
  // no cluster, so no forces
  if (pointClusterIndices.x >= 0.0 && pointClusterIndices.y >= 0.0) {
    // positioning points to custom cluster position or either to the center of mass
    vec2 clusterPositions = texture(clusterPositionsTexture, pointClusterIndices.xy / clustersTextureSize).xy;
    if (clusterPositions.x < 0.0 || clusterPositions.y < 0.0) {
      vec4 centermassValues = texture(centermassTexture, pointClusterIndices.xy / clustersTextureSize);
      clusterPositions = centermassValues.xy / centermassValues.b;
    }
    vec4 clusterCustomCoeff = texture(clusterForceCoefficient, textureCoords);
    vec2 distVector = clusterPositions.xy - pointPosition.xy;
    float dist = length(distVector);
    if (dist > 0.0) {
      float addV = alpha * dist * clusterCoefficient * clusterCustomCoeff.r;
      velocity.rg += addV * normalize(distVector);
    }
  }

  fragColor = velocity;
}`,wf=class extends _t{constructor(){super(...arguments),this.cachedCentroidPositions=null}create(){var t,i;this.cachedCentroidPositions=null;let{device:r,store:n,data:o}=this,{pointsTextureSize:s}=n;if(o.pointsNumber===void 0||!o.pointClusters&&!o.clusterPositions)return;this.clusterCount=(o.pointClusters??[]).reduce((h,m)=>m===void 0||m<0?h:Math.max(h,m),0)+1,this.clustersTextureSize=Math.ceil(Math.sqrt(this.clusterCount));let a=this.previousPointsTextureSize!==s||this.previousClustersTextureSize!==this.clustersTextureSize||this.previousClusterCount!==this.clusterCount,l=s*s*4,c=this.clustersTextureSize*this.clustersTextureSize*4,u=new Float32Array(l),f=new Float32Array(c).fill(-1),d=new Float32Array(l).fill(1);if(o.clusterPositions)for(let h=0;h<this.clusterCount;++h)f[h*4+0]=o.clusterPositions[h*2+0]??-1,f[h*4+1]=o.clusterPositions[h*2+1]??-1;for(let h=0;h<o.pointsNumber;++h){let m=(t=o.pointClusters)==null?void 0:t[h];m===void 0?(u[h*4+0]=-1,u[h*4+1]=-1):(u[h*4+0]=m%this.clustersTextureSize,u[h*4+1]=Math.floor(m/this.clustersTextureSize)),o.clusterStrength&&(d[h*4+0]=o.clusterStrength[h]??1)}if(!this.clusterTexture||a?(this.clusterTexture&&!this.clusterTexture.destroyed&&this.clusterTexture.destroy(),this.clusterTexture=r.createTexture({width:s,height:s,format:"rgba32float",usage:B.SAMPLE|B.RENDER|B.COPY_DST}),this.clusterTexture.copyImageData({data:u,bytesPerRow:q("rgba32float",s),mipLevel:0,x:0,y:0})):this.clusterTexture.copyImageData({data:u,bytesPerRow:q("rgba32float",s),mipLevel:0,x:0,y:0}),!this.clusterPositionsTexture||a?(this.clusterPositionsTexture&&!this.clusterPositionsTexture.destroyed&&this.clusterPositionsTexture.destroy(),this.clusterPositionsTexture=r.createTexture({width:this.clustersTextureSize,height:this.clustersTextureSize,format:"rgba32float",usage:B.SAMPLE|B.RENDER|B.COPY_DST}),this.clusterPositionsTexture.copyImageData({data:f,bytesPerRow:q("rgba32float",this.clustersTextureSize),mipLevel:0,x:0,y:0})):this.clusterPositionsTexture.copyImageData({data:f,bytesPerRow:q("rgba32float",this.clustersTextureSize),mipLevel:0,x:0,y:0}),!this.clusterForceCoefficientTexture||a?(this.clusterForceCoefficientTexture&&!this.clusterForceCoefficientTexture.destroyed&&this.clusterForceCoefficientTexture.destroy(),this.clusterForceCoefficientTexture=r.createTexture({width:s,height:s,format:"rgba32float",usage:B.SAMPLE|B.RENDER|B.COPY_DST}),this.clusterForceCoefficientTexture.copyImageData({data:d,bytesPerRow:q("rgba32float",s),mipLevel:0,x:0,y:0})):this.clusterForceCoefficientTexture.copyImageData({data:d,bytesPerRow:q("rgba32float",s),mipLevel:0,x:0,y:0}),!this.centermassTexture||this.previousClustersTextureSize!==this.clustersTextureSize?(this.centermassFbo&&!this.centermassFbo.destroyed&&this.centermassFbo.destroy(),this.centermassTexture&&!this.centermassTexture.destroyed&&this.centermassTexture.destroy(),this.centermassTexture=r.createTexture({width:this.clustersTextureSize,height:this.clustersTextureSize,format:"rgba32float",usage:B.SAMPLE|B.RENDER|B.COPY_DST}),this.centermassTexture.copyImageData({data:new Float32Array(c).fill(0),bytesPerRow:q("rgba32float",this.clustersTextureSize),mipLevel:0,x:0,y:0}),this.centermassFbo=r.createFramebuffer({width:this.clustersTextureSize,height:this.clustersTextureSize,colorAttachments:[this.centermassTexture]})):this.centermassTexture.copyImageData({data:new Float32Array(c).fill(0),bytesPerRow:q("rgba32float",this.clustersTextureSize),mipLevel:0,x:0,y:0}),!this.pointIndices||this.previousPointsTextureSize!==s){this.pointIndices&&!this.pointIndices.destroyed&&this.pointIndices.destroy();let h=Wn(n.pointsTextureSize);this.pointIndices=r.createBuffer({data:h,usage:L.VERTEX|L.COPY_DST}),(i=this.calculateCentermassCommand)==null||i.setAttributes({pointIndices:this.pointIndices})}this.previousPointsTextureSize=s,this.previousClustersTextureSize=this.clustersTextureSize,this.previousClusterCount=this.clusterCount}initPrograms(){let{device:t,store:i,data:r}=this;r.pointsNumber===void 0||!r.pointClusters&&!r.clusterPositions||(this.calculateCentermassUniformStore||(this.calculateCentermassUniformStore=new oe(t,{calculateCentermassUniforms:{uniformTypes:{pointsTextureSize:"f32",clustersTextureSize:"f32"},defaultUniforms:{pointsTextureSize:i.pointsTextureSize,clustersTextureSize:this.clustersTextureSize??0}}})),this.calculateCentermassCommand||(this.calculateCentermassCommand=new le(t,{fs:u3,vs:f3,topology:"point-list",vertexCount:r.pointsNumber??0,attributes:{...this.pointIndices&&{pointIndices:this.pointIndices}},bufferLayout:[{name:"pointIndices",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{calculateCentermassUniforms:this.calculateCentermassUniformStore.getManagedUniformBuffer("calculateCentermassUniforms")},parameters:{blend:!0,blendColorOperation:"add",blendColorSrcFactor:"one",blendColorDstFactor:"one",blendAlphaOperation:"add",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one",depthWriteEnabled:!1,depthCompare:"always"}})),this.applyForcesUniformStore||(this.applyForcesUniformStore=new oe(t,{applyForcesUniforms:{uniformTypes:{alpha:"f32",clustersTextureSize:"f32",clusterCoefficient:"f32"},defaultUniforms:{alpha:i.alpha,clustersTextureSize:this.clustersTextureSize??0,clusterCoefficient:this.config.simulationCluster}}})),this.applyForcesVertexCoordBuffer||(this.applyForcesVertexCoordBuffer=t.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1])})),this.applyForcesCommand||(this.applyForcesCommand=new le(t,{fs:d3,vs:He,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.applyForcesVertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{applyForcesUniforms:this.applyForcesUniformStore.getManagedUniformBuffer("applyForcesUniforms")}})))}calculateCentermass(){let{device:t,points:i}=this;if(!i||!this.calculateCentermassCommand||!this.calculateCentermassUniformStore||!this.pointIndices||!this.centermassFbo||this.centermassFbo.destroyed||!this.clusterTexture||this.clusterTexture.destroyed||!i.previousPositionTexture||i.previousPositionTexture.destroyed||!i.exitTexture||i.exitTexture.destroyed)return;this.calculateCentermassCommand.setVertexCount(this.data.pointsNumber??0),this.calculateCentermassUniformStore.setUniforms({calculateCentermassUniforms:{pointsTextureSize:this.store.pointsTextureSize,clustersTextureSize:this.clustersTextureSize??0}}),this.calculateCentermassCommand.setBindings({clusterTexture:this.clusterTexture,positionsTexture:i.previousPositionTexture,exitTexture:i.exitTexture});let r=t.beginRenderPass({framebuffer:this.centermassFbo,clearColor:[0,0,0,0]});this.calculateCentermassCommand.draw(r),r.end()}getCentroidPositions(){var t;let{config:{enableSimulation:i},store:{isSimulationRunning:r}}=this,n=!i||!r;if(n&&(t=this.points)!=null&&t.areClusterCentroidsUpToDate&&this.cachedCentroidPositions)return this.cachedCentroidPositions;if(this.calculateCentermass(),!this.centermassFbo||this.centermassFbo.destroyed||this.clusterCount===void 0)return[];let o=We(this.device,this.centermassFbo),s=[];s.length=this.clusterCount*2;for(let a=0;a<s.length/2;a+=1){let l=o[a*4+0],c=o[a*4+1],u=o[a*4+2];l!==void 0&&c!==void 0&&u!==void 0&&(s[a*2]=l/u,s[a*2+1]=c/u)}return n&&this.points&&(this.cachedCentroidPositions=s,this.points.areClusterCentroidsUpToDate=!0),s}run(){var t;if(!this.data.pointClusters&&!this.data.clusterPositions||(this.calculateCentermass(),!this.applyForcesCommand||!this.applyForcesUniformStore)||!this.clusterTexture||this.clusterTexture.destroyed||!this.centermassTexture||this.centermassTexture.destroyed||!this.clusterPositionsTexture||this.clusterPositionsTexture.destroyed||!this.clusterForceCoefficientTexture||this.clusterForceCoefficientTexture.destroyed||!((t=this.points)!=null&&t.previousPositionTexture)||this.points.previousPositionTexture.destroyed||!this.points.velocityFbo||this.points.velocityFbo.destroyed)return;this.applyForcesUniformStore.setUniforms({applyForcesUniforms:{alpha:this.store.alpha,clustersTextureSize:this.clustersTextureSize??0,clusterCoefficient:this.config.simulationCluster}}),this.applyForcesCommand.setBindings({clusterTexture:this.clusterTexture,centermassTexture:this.centermassTexture,clusterPositionsTexture:this.clusterPositionsTexture,clusterForceCoefficient:this.clusterForceCoefficientTexture,positionsTexture:this.points.previousPositionTexture});let i=this.device.beginRenderPass({framebuffer:this.points.velocityFbo,clearColor:[0,0,0,0]});this.applyForcesCommand.draw(i),i.end()}destroy(){var t,i,r,n;this.cachedCentroidPositions=null,(t=this.calculateCentermassCommand)==null||t.destroy(),this.calculateCentermassCommand=void 0,(i=this.applyForcesCommand)==null||i.destroy(),this.applyForcesCommand=void 0,this.centermassFbo&&!this.centermassFbo.destroyed&&this.centermassFbo.destroy(),this.centermassFbo=void 0,this.clusterTexture&&!this.clusterTexture.destroyed&&this.clusterTexture.destroy(),this.clusterTexture=void 0,this.clusterPositionsTexture&&!this.clusterPositionsTexture.destroyed&&this.clusterPositionsTexture.destroy(),this.clusterPositionsTexture=void 0,this.clusterForceCoefficientTexture&&!this.clusterForceCoefficientTexture.destroyed&&this.clusterForceCoefficientTexture.destroy(),this.clusterForceCoefficientTexture=void 0,this.centermassTexture&&!this.centermassTexture.destroyed&&this.centermassTexture.destroy(),this.centermassTexture=void 0,(r=this.calculateCentermassUniformStore)==null||r.destroy(),this.calculateCentermassUniformStore=void 0,(n=this.applyForcesUniformStore)==null||n.destroy(),this.applyForcesUniformStore=void 0,this.pointIndices&&!this.pointIndices.destroyed&&this.pointIndices.destroy(),this.pointIndices=void 0,this.applyForcesVertexCoordBuffer&&!this.applyForcesVertexCoordBuffer.destroyed&&this.applyForcesVertexCoordBuffer.destroy(),this.applyForcesVertexCoordBuffer=void 0}},h3=`
  #gl-bench {
    position:absolute;
    right:0;
    top:0;
    z-index:1000;
    -webkit-user-select: none;
    -moz-user-select: none;
    user-select: none;
  }
  #gl-bench div {
    position: relative;
    display: block;
    margin: 4px;
    padding: 0 7px 0 10px;
    background: #5f69de;
    border-radius: 15px;
    cursor: pointer;
    opacity: 0.9;
  }
  #gl-bench svg {
    height: 60px;
    margin: 0 -1px;
  }
  #gl-bench text {
    font-size: 12px;
    font-family: Helvetica,Arial,sans-serif;
    font-weight: 700;
    dominant-baseline: middle;
    text-anchor: middle;
  }
  #gl-bench .gl-mem {
    font-size: 9px;
  }
  #gl-bench line {
    stroke-width: 5;
    stroke: #112211;
    stroke-linecap: round;
  }
  #gl-bench polyline {
    fill: none;
    stroke: #112211;
    stroke-linecap: round;
    stroke-linejoin: round;
    stroke-width: 3.5;
  }
  #gl-bench rect {
    fill: #8288e4;
  }
  #gl-bench .opacity {
    stroke: #8288e4;
  }
`,va=class{constructor(t){this.destroy();let i=t.getContext("webgl")||t.getContext("experimental-webgl");this.bench=new x_.default(i,{css:h3})}begin(){var t;(t=this.bench)==null||t.begin("frame")}end(t){var i,r;(i=this.bench)==null||i.end("frame"),(r=this.bench)==null||r.nextFrame(t)}destroy(){this.bench=void 0,ge("#gl-bench").remove()}},p3=`
vec2 conicParametricCurve(vec2 A, vec2 B, vec2 ControlPoint, float t, float w) {
  vec2 divident = (1.0 - t) * (1.0 - t) * A + 2.0 * (1.0 - t) * t * w * ControlPoint + t * t * B;
  float divisor = (1.0 - t) * (1.0 - t) + 2.0 * (1.0 - t) * t * w + t * t;
  return divident / divisor;
}
`,m_={name:"conicParametricCurve",vs:p3},m3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

in vec4 rgbaColor;
in vec2 pos;
in float arrowLength;
in float useArrow;
in float smoothing;
in float arrowWidthFactor;
in float linkIndex;
flat in float vLinkStyle;
flat in float vLinkDashSpan;
flat in float vLinkDashWidth;
flat in vec4 vEndpointColorA;
flat in vec4 vEndpointColorB;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform drawLineFragmentUniforms {
  float renderMode;
  float linkDashLength;
  float linkDashGap;
  float linkColorInterpolateFromEndpoints;
  float hoveredLinkIndex;
  vec4 hoveredLinkColor;
} drawLineFrag;

#define renderMode drawLineFrag.renderMode
#define linkDashLength drawLineFrag.linkDashLength
#define linkDashGap drawLineFrag.linkDashGap
#define linkColorInterpolateFromEndpoints drawLineFrag.linkColorInterpolateFromEndpoints
#define hoveredLinkIndex drawLineFrag.hoveredLinkIndex
#define hoveredLinkColor drawLineFrag.hoveredLinkColor
#else
// renderMode: 0.0 = normal rendering, 1.0 = index buffer rendering for picking
uniform float renderMode;
uniform float linkDashLength;
uniform float linkDashGap;
uniform float linkColorInterpolateFromEndpoints;
uniform float hoveredLinkIndex;
uniform vec4 hoveredLinkColor;
#endif

out vec4 fragColor;

float map(float value, float min1, float max1, float min2, float max2) {
  return min2 + (value - min1) * (max2 - min2) / (max1 - min1);
}

// LinkStyle enum values (must match \`LinkStyle\` in modules/GraphData). Compared with
// exact equality, like the point shapes: the CPU sanitizer guarantees exact integers
// and vLinkStyle is flat, so an unknown future style matches nothing and renders solid.
const float LINK_STYLE_DASHED = 1.0;
const float LINK_STYLE_DOTTED = 2.0;

// Anti-aliased on/off mask for one dash period. \`phase\` is distance-along-line in px,
// \`on\` is the lit dash length, \`period\` is on + gap, \`aa\` is the smoothing half-width in px.
float strokeMask(float phase, float on, float period, float aa) {
  float m = mod(phase, period);
  return smoothstep(-aa, aa, m) * (1.0 - smoothstep(on - aa, on + aa, m));
}

void main() {
  float opacity = 1.0;
  vec3 color = rgbaColor.rgb;

  // Arrowhead extent along the link (pos.x space) \u2014 used by the arrow rendering
  // and by the dash mask, which leaves the arrowhead solid.
  float end_arrow = 0.5 + arrowLength / 2.0;
  float start_arrow = end_arrow - arrowLength;

  // Gradient links: interpolate RGB from the source point color to the target point color
  // along the link. Opacity (visibility / greyout) still comes from rgbaColor.a.
  if (linkColorInterpolateFromEndpoints > 0.5) {
    color = mix(vEndpointColorA.rgb, vEndpointColorB.rgb, clamp(pos.x, 0.0, 1.0));
  }

  if (useArrow > 0.5) {
    float arrowWidthDelta = arrowWidthFactor / 2.0;
    float linkOpacity = rgbaColor.a * smoothstep(0.5 - arrowWidthDelta, 0.5 - arrowWidthDelta - smoothing / 2.0, abs(pos.y));
    float arrowOpacity = 1.0;
    if (pos.x > start_arrow && pos.x < start_arrow + arrowLength) {
      float xmapped = map(pos.x, start_arrow, end_arrow, 0.0, 1.0);
      arrowOpacity = rgbaColor.a * smoothstep(xmapped - smoothing, xmapped, map(abs(pos.y), 0.5, 0.0, 0.0, 1.0));
      if (linkOpacity != arrowOpacity) {
        linkOpacity = max(linkOpacity, arrowOpacity);
      }
    }
    opacity = linkOpacity;
  } else opacity = rgbaColor.a * smoothstep(0.5, 0.5 - smoothing, abs(pos.y));

  // Dashed / dotted stroke patterns. Applied to the visible pass only (renderMode == 0.0)
  // so that gaps stay fully pickable in the index pass. The arrowhead region is left solid.
  if (renderMode < 0.5 && (vLinkStyle == LINK_STYLE_DASHED || vLinkStyle == LINK_STYLE_DOTTED)) {
    bool inArrowHead = (useArrow > 0.5) && (pos.x > start_arrow) && (pos.x < end_arrow);
    if (!inArrowHead) {
      // Distance along the link in the dash pattern's space (screen px or world units; see the vertex shader).
      // fwidth() gives the screen-space rate of change, so anti-aliasing stays ~1px wide in either space.
      float phase = clamp(pos.x, 0.0, 1.0) * vLinkDashSpan;
      if (vLinkStyle == LINK_STYLE_DASHED) {
        float period = max(linkDashLength + linkDashGap, 0.001);
        float aa = max(fwidth(phase), 1e-4);
        opacity *= strokeMask(phase, linkDashLength, period, aa);
      } else {
        // Dotted: round dots sized to the stroke width, spaced by diameter + gap.
        float diameter = vLinkDashWidth;
        float period = max(diameter + linkDashGap, 0.001);
        float localX = mod(phase, period) - period * 0.5;
        float localY = pos.y * vLinkDashWidth;
        float r = length(vec2(localX, localY));
        float aa = max(fwidth(r), 1e-4);
        opacity *= 1.0 - smoothstep(diameter * 0.5 - aa, diameter * 0.5 + aa, r);
      }
    }
  }

  // Apply hover color if this is the hovered link and hover color is defined.
  // Done last \u2014 after the gradient and the dash mask \u2014 so hover wins over every
  // color source (per-link color from the vertex stage and the endpoint gradient
  // alike), while the dash pattern and AA stay intact in the hover color.
  if (hoveredLinkIndex == linkIndex && hoveredLinkColor.a > -0.5) {
    color = hoveredLinkColor.rgb;
    opacity *= hoveredLinkColor.a;
  }

  if (renderMode > 0.0) {
    if (opacity <= 0.0) discard;
    fragColor = vec4(linkIndex, 0.0, 0.0, 1.0);
  } else fragColor = vec4(color, opacity);

}
`,g3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

in vec2 position, pointA, pointB;
in vec4 sourceColor;
in vec4 targetColor;
in float sourceWidth;
in float targetWidth;
in float arrow;
in float linkIndices;
in float linkStyle;

uniform sampler2D positionsTexture;
uniform sampler2D linkStatus;
uniform sampler2D exitTexture;
uniform sampler2D pointColorsTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform drawLineUniforms {
  mat4 transformationMatrix;
  float pointsTextureSize;
  float widthScale;
  float linkArrowsSizeScale;
  float spaceSize;
  vec2 screenSize;
  vec2 linkVisibilityDistanceRange;
  float linkVisibilityMinTransparency;
  float linkOpacity;
  float greyoutOpacity;
  float curvedWeight;
  float curvedLinkControlPointDistance;
  float curvedLinkSegments;
  float scaleLinksOnZoom;
  float maxPointSize;
  float renderMode;
  float hoveredLinkIndex;
  float hoveredLinkWidthIncrease;
  float isLinkHighlightingActive;
  float linkStatusTextureSize;
  float focusedLinkIndex;
  float focusedLinkWidthIncrease;
  float transitionProgress;
  float animateColors;
  float animateWidths;
  float animatePositions;
  vec4 pointDefaultColor;
  float linkColorInterpolateFromEndpoints;
} drawLine;

#define transformationMatrix drawLine.transformationMatrix
#define pointsTextureSize drawLine.pointsTextureSize
#define widthScale drawLine.widthScale
#define linkArrowsSizeScale drawLine.linkArrowsSizeScale
#define spaceSize drawLine.spaceSize
#define screenSize drawLine.screenSize
#define linkVisibilityDistanceRange drawLine.linkVisibilityDistanceRange
#define linkVisibilityMinTransparency drawLine.linkVisibilityMinTransparency
#define linkOpacity drawLine.linkOpacity
#define greyoutOpacity drawLine.greyoutOpacity
#define curvedWeight drawLine.curvedWeight
#define curvedLinkControlPointDistance drawLine.curvedLinkControlPointDistance
#define curvedLinkSegments drawLine.curvedLinkSegments
#define scaleLinksOnZoom drawLine.scaleLinksOnZoom
#define maxPointSize drawLine.maxPointSize
#define renderMode drawLine.renderMode
#define hoveredLinkIndex drawLine.hoveredLinkIndex
#define hoveredLinkWidthIncrease drawLine.hoveredLinkWidthIncrease
#define isLinkHighlightingActive drawLine.isLinkHighlightingActive
#define linkStatusTextureSize drawLine.linkStatusTextureSize
#define focusedLinkIndex drawLine.focusedLinkIndex
#define focusedLinkWidthIncrease drawLine.focusedLinkWidthIncrease
#define transitionProgress drawLine.transitionProgress
#define animateColors drawLine.animateColors
#define animateWidths drawLine.animateWidths
#define animatePositions drawLine.animatePositions
#define pointDefaultColor drawLine.pointDefaultColor
#define linkColorInterpolateFromEndpoints drawLine.linkColorInterpolateFromEndpoints
#else
uniform mat3 transformationMatrix;
uniform float pointsTextureSize;
uniform float widthScale;
uniform float linkArrowsSizeScale;
uniform float spaceSize;
uniform vec2 screenSize;
uniform vec2 linkVisibilityDistanceRange;
uniform float linkVisibilityMinTransparency;
uniform float linkOpacity;
uniform float greyoutOpacity;
uniform float curvedWeight;
uniform float curvedLinkControlPointDistance;
uniform float curvedLinkSegments;
uniform bool scaleLinksOnZoom;
uniform float maxPointSize;
// renderMode: 0.0 = normal rendering, 1.0 = index buffer rendering for picking
uniform float renderMode;
uniform float hoveredLinkIndex;
uniform float hoveredLinkWidthIncrease;
uniform float isLinkHighlightingActive;
uniform float linkStatusTextureSize;
uniform float focusedLinkIndex;
uniform float focusedLinkWidthIncrease;
uniform float transitionProgress;
uniform float animateColors;
uniform float animateWidths;
uniform float animatePositions;
uniform vec4 pointDefaultColor;
uniform float linkColorInterpolateFromEndpoints;
#endif

out vec4 rgbaColor;
out vec2 pos;
out float arrowLength;
out float useArrow;
out float smoothing;
out float arrowWidthFactor;
out float linkIndex;
// Per-instance constants (no per-vertex variation), so \`flat\` skips interpolation.
flat out float vLinkStyle;
flat out float vLinkDashSpan;
flat out float vLinkDashWidth;
flat out vec4 vEndpointColorA;
flat out vec4 vEndpointColorB;

float map(float value, float min1, float max1, float min2, float max2) {
  return min2 + (value - min1) * (max2 - min2) / (max1 - min1);
}

// Resolves NaN color channels the way the point draw shader does: NaN means "use the
// default" \u2014 the config default, blended toward the exit default as the endpoint fades
// out. Mirrors resolveColor in draw-points.vert.
vec4 resolveColor(vec4 color, float exitRamp) {
  vec4 defaultColor = mix(pointDefaultColor, vec4(EXIT_DEFAULT_COLOR_CHANNEL), exitRamp);
  return mix(color, defaultColor, isnan(color));
}

float calculateLinkWidth(float width) {
  float linkWidth;
  if (scaleLinksOnZoom > 0.0) {
    // Use original width if links should scale with zoom
    linkWidth = width;
  } else {
    // Adjust width based on zoom level to maintain visual size
    linkWidth = width / transformationMatrix[0][0];
    // Apply a non-linear scaling to avoid extreme widths
    linkWidth *= min(5.0, max(1.0, transformationMatrix[0][0] * 0.01));
  }
  // Limit link width based on whether it has an arrow
  if (useArrow > 0.5) {
    return min(linkWidth, (maxPointSize * 2.0) / transformationMatrix[0][0]);
  } else {
    return min(linkWidth, maxPointSize / transformationMatrix[0][0]);
  }
}

float calculateArrowWidth(float arrowWidth) {
  if (scaleLinksOnZoom > 0.0) {
    return arrowWidth;
  } else {
    // Apply the same scaling logic as calculateLinkWidth to maintain proportionality
    arrowWidth = arrowWidth / transformationMatrix[0][0];
    // Apply the same non-linear scaling to avoid extreme widths
    arrowWidth *= min(5.0, max(1.0, transformationMatrix[0][0] * 0.01));
    return arrowWidth;
  }
}

void main() {
  pos = position;
  linkIndex = linkIndices;
  vLinkStyle = linkStyle;

  vec2 pointTexturePosA = (pointA + 0.5) / pointsTextureSize;
  vec2 pointTexturePosB = (pointB + 0.5) / pointsTextureSize;

  vec4 pointPositionA = texture(positionsTexture, pointTexturePosA);
  vec4 pointPositionB = texture(positionsTexture, pointTexturePosB);
  vec2 a = pointPositionA.xy;
  vec2 b = pointPositionB.xy;

  // Skip links touching an absent (NaN position) point \u2014 interpolating from a NaN
  // endpoint would produce garbage geometry. Collapse the link off-screen. This only
  // catches snap removals: an animated removal freezes the endpoint at its last real
  // position, so absence must be read from the exit texture below.
  if (isnan(a.x) || isnan(a.y) || isnan(b.x) || isnan(b.y)) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }

  // Exit status of both endpoints (R = previous absence, G = current absence). A link
  // is only as present as its endpoints.
  vec4 exitStatusA = texture(exitTexture, pointTexturePosA);
  vec4 exitStatusB = texture(exitTexture, pointTexturePosB);

  // Picking must not report a link to a removed point even mid-fade \u2014 same rule as
  // point picking, which excludes on current absence.
  if (renderMode > 0.0 && (exitStatusA.g > 0.5 || exitStatusB.g > 0.5)) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }

  // Visible pass: fade the link with the same animated exit ramp the point fade uses
  // (blend R\u2192G during a position transition, settled G otherwise), so a removed
  // point's links fade out in sync with it instead of dangling at full opacity.
  float exitA = animatePositions > 0.0 ? mix(exitStatusA.r, exitStatusA.g, transitionProgress) : exitStatusA.g;
  float exitB = animatePositions > 0.0 ? mix(exitStatusB.r, exitStatusB.g, transitionProgress) : exitStatusB.g;
  float exitPresence = (1.0 - exitA) * (1.0 - exitB);
  if (exitPresence <= 0.0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }

  // Sample the source/target point colors so the fragment shader can build a gradient
  // along the link. Skipped entirely when the gradient is off \u2014 the fragment shader
  // only reads these varyings inside its own gradient branch, keyed on the same flag.
  // The texture mirrors GraphData.pointColors, so channels may be NaN ("use the
  // default") \u2014 resolve them with the endpoint's exit ramp, like the point draw.
  if (linkColorInterpolateFromEndpoints > 0.5) {
    vEndpointColorA = resolveColor(texture(pointColorsTexture, pointTexturePosA), exitA);
    vEndpointColorB = resolveColor(texture(pointColorsTexture, pointTexturePosB), exitB);
  }

  // Calculate direction vector and its perpendicular
  vec2 xBasis = b - a;
  vec2 yBasis = normalize(vec2(-xBasis.y, xBasis.x));

  // Calculate link distance and control point for curved link
  float linkDist = length(xBasis);
  float h = curvedLinkControlPointDistance;
  vec2 controlPoint = (a + b) / 2.0 + yBasis * linkDist * h;

  // Convert link distance to screen pixels
  float linkDistPx = linkDist * transformationMatrix[0][0];

  // Dash/dot pattern space. When links keep a constant on-screen size (scaleLinksOnZoom = false)
  // the pattern is measured in screen pixels (fixed dash size, but it slides as the link's
  // on-screen length changes with zoom). When links scale with zoom it is measured in world units,
  // which locks the pattern to the link so it scales with zoom instead of crawling.
  float dashUnitScale = scaleLinksOnZoom > 0.0 ? 1.0 : transformationMatrix[0][0];
  vLinkDashSpan = linkDist * dashUnitScale;

  float lineWidthBase = animateWidths > 0.0
    ? mix(sourceWidth, targetWidth, transitionProgress)
    : targetWidth;
  vec4 lineColor = animateColors > 0.0
    ? mix(sourceColor, targetColor, transitionProgress)
    : targetColor;
  
  // Calculate line width using the width scale
  float linkWidth = lineWidthBase * widthScale;
  float k = 2.0;
  // Arrow width is proportionally larger than the line width
  float arrowWidth = linkWidth * k;
  arrowWidth *= linkArrowsSizeScale;

  // Ensure arrow width difference is non-negative to prevent unwanted changes to link width
  float arrowWidthDifference = max(0.0, arrowWidth - linkWidth);

  // Calculate arrow width in pixels
  float arrowWidthPx = calculateArrowWidth(arrowWidth);

  // Calculate arrow length proportional to its width
  // 0.866 is approximately sqrt(3)/2 - related to equilateral triangle geometry
  // Cap the length to avoid overly long arrows on short links
  arrowLength = min(0.3, (0.866 * arrowWidthPx * 2.0) / linkDist);

  useArrow = arrow;
  if (useArrow > 0.5) {
    linkWidth += arrowWidthDifference;
  }

  arrowWidthFactor = arrowWidthDifference / linkWidth;

  // Calculate final link width in pixels with smoothing
  float linkWidthPx = calculateLinkWidth(linkWidth);
    
  if (renderMode > 0.0) {
    // Add 5 pixels padding for better hover detection
    linkWidthPx += 5.0 / transformationMatrix[0][0];
    // Match the visible-pass width increases so the pickable area covers the full rendered link
    if (hoveredLinkIndex == linkIndex) {
      linkWidthPx += hoveredLinkWidthIncrease / transformationMatrix[0][0];
    }
    if (focusedLinkIndex == linkIndex) {
      linkWidthPx += focusedLinkWidthIncrease / transformationMatrix[0][0];
    }
  } else {
    // Add pixel increase if this is the hovered link
    if (hoveredLinkIndex == linkIndex) {
      linkWidthPx += hoveredLinkWidthIncrease / transformationMatrix[0][0];
    }
    // Add pixel increase if this is the focused link
    if (focusedLinkIndex == linkIndex) {
      linkWidthPx += focusedLinkWidthIncrease / transformationMatrix[0][0];
    }
  }
  float smoothingPx = 0.5 / transformationMatrix[0][0];
  smoothing = smoothingPx / linkWidthPx;
  linkWidthPx += smoothingPx;

  // Link thickness expressed in the dash pattern's space, so dotted-link dots match the stroke width.
  // linkWidthPx is in world units; \`dashUnitScale\` converts it to screen px (scaleLinksOnZoom = false)
  // or keeps it in world units (scaleLinksOnZoom = true), matching vLinkDashSpan.
  vLinkDashWidth = linkWidthPx * dashUnitScale;



  // Calculate final color with opacity based on link distance
  vec3 rgbColor = lineColor.rgb;
  // Adjust opacity based on link distance
  float opacity = lineColor.a * linkOpacity * max(linkVisibilityMinTransparency, map(linkDistPx, linkVisibilityDistanceRange.g, linkVisibilityDistanceRange.r, 0.0, 1.0));
  // Fade with the exit ramp of the endpoints (1 = both fully present).
  opacity *= exitPresence;

  // Apply greyed-out opacity from link status texture
  if (isLinkHighlightingActive > 0.0 && linkStatusTextureSize > 0.0) {
    float texX = mod(linkIndices, linkStatusTextureSize);
    float texY = floor(linkIndices / linkStatusTextureSize);
    vec2 linkStatusCoord = (vec2(texX, texY) + 0.5) / linkStatusTextureSize;
    vec4 linkStatusValue = texture(linkStatus, linkStatusCoord);
    if (linkStatusValue.r > 0.0) {
      opacity *= greyoutOpacity;
    }
  }

  // Pass final color to fragment shader. Hover color is applied in the fragment
  // shader, after the endpoint gradient, so it wins for gradient links too.
  rgbaColor = vec4(rgbColor, opacity);

  // Calculate position on the curved path
  float t = position.x;
  float w = curvedWeight;
  
  float tPrev = t - 1.0 / curvedLinkSegments;
  float tNext = t + 1.0 / curvedLinkSegments;
  
  vec2 pointCurr = conicParametricCurve(a, b, controlPoint, t, w);
  
  vec2 pointPrev = conicParametricCurve(a, b, controlPoint, max(0.0, tPrev), w);
  vec2 pointNext = conicParametricCurve(a, b, controlPoint, min(tNext, 1.0), w);
  
  vec2 xBasisCurved = pointNext - pointPrev;
  vec2 yBasisCurved = normalize(vec2(-xBasisCurved.y, xBasisCurved.x));
  
  pointCurr += yBasisCurved * linkWidthPx * position.y;
  
  // Transform to clip space coordinates
  vec2 p = 2.0 * pointCurr / spaceSize - 1.0;
  p *= spaceSize / screenSize;
  
  #ifdef USE_UNIFORM_BUFFERS
  mat3 transformMat3 = mat3(transformationMatrix);
  vec3 final = transformMat3 * vec3(p, 1);
  #else
  vec3 final = transformationMatrix * vec3(p, 1);
  #endif
  
  gl_Position = vec4(final.rg, 0, 1);
}`,x3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

in vec4 rgba;

out vec4 fragColor;

void main() {
  fragColor = rgba;
}
`,_3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

in vec2 pointA;
in vec2 pointB;
in float linkIndices;

uniform sampler2D positionsTexture;
uniform sampler2D exitTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform fillSampledLinksUniforms {
  float pointsTextureSize;
  mat4 transformationMatrix;
  float spaceSize;
  vec2 screenSize;
  float curvedWeight;
  float curvedLinkControlPointDistance;
  float curvedLinkSegments;
} fillSampledLinks;

#define pointsTextureSize fillSampledLinks.pointsTextureSize
#define transformationMatrix fillSampledLinks.transformationMatrix
#define spaceSize fillSampledLinks.spaceSize
#define screenSize fillSampledLinks.screenSize
#define curvedWeight fillSampledLinks.curvedWeight
#define curvedLinkControlPointDistance fillSampledLinks.curvedLinkControlPointDistance
#define curvedLinkSegments fillSampledLinks.curvedLinkSegments
#else
uniform float pointsTextureSize;
uniform float spaceSize;
uniform vec2 screenSize;
uniform float curvedWeight;
uniform float curvedLinkControlPointDistance;
uniform float curvedLinkSegments;
uniform mat3 transformationMatrix;
#endif

out vec4 rgba;

void main() {
  // Skip a link touching an absent (faded-out) point. exit.G = current absence.
  if (texture(exitTexture, (pointA + 0.5) / pointsTextureSize).g > 0.5 ||
      texture(exitTexture, (pointB + 0.5) / pointsTextureSize).g > 0.5) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 0.0;
    return;
  }

  vec4 posA = texture(positionsTexture, (pointA + 0.5) / pointsTextureSize);
  vec4 posB = texture(positionsTexture, (pointB + 0.5) / pointsTextureSize);
  vec2 a = posA.rg;
  vec2 b = posB.rg;

  vec2 tangent = b - a;
  float angle = -atan(tangent.y, tangent.x);

  vec2 mid;
  if (curvedLinkSegments <= 1.0) {
    mid = (a + b) * 0.5;
  } else if (curvedLinkControlPointDistance != 0.0 && curvedWeight != 0.0) {
    vec2 xBasis = b - a;
    vec2 yBasis = normalize(vec2(-xBasis.y, xBasis.x));
    float linkDist = length(xBasis);
    float h = curvedLinkControlPointDistance;
    vec2 controlPoint = (a + b) / 2.0 + yBasis * linkDist * h;
    mid = conicParametricCurve(a, b, controlPoint, 0.5, curvedWeight);
  } else {
    mid = (a + b) * 0.5;
  }

  vec2 p = 2.0 * mid / spaceSize - 1.0;
  p *= spaceSize / screenSize;
  #ifdef USE_UNIFORM_BUFFERS
  mat3 transformMat3 = mat3(transformationMatrix);
  vec3 final = transformMat3 * vec3(p, 1);
  #else
  vec3 final = transformationMatrix * vec3(p, 1);
  #endif

  vec2 pointScreenPosition = (final.xy + 1.0) * screenSize / 2.0;
  rgba = vec4(linkIndices, mid.x, mid.y, angle);
  float i = (pointScreenPosition.x + 0.5) / screenSize.x;
  float j = (pointScreenPosition.y + 0.5) / screenSize.y;
  gl_Position = vec4(2.0 * vec2(i, j) - 1.0, 0.0, 1.0);

  gl_PointSize = 1.0;
}
`,y3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

uniform sampler2D linkIndexTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform hoveredLineIndexUniforms {
  vec2 mousePosition;
  vec2 screenSize;
} hoveredLine;

#define mousePosition hoveredLine.mousePosition
#define screenSize hoveredLine.screenSize
#else
uniform vec2 mousePosition;
uniform vec2 screenSize;
#endif

out vec4 fragColor;

void main() {
  // Convert mouse position to texture coordinates
  vec2 texCoord = mousePosition / screenSize;
  
  // Read the link index from the linkIndexFbo texture at mouse position
  vec4 linkIndexData = texture(linkIndexTexture, texCoord);
  
  // Extract the link index (stored in the red channel)
  float linkIndex = linkIndexData.r;
  
  // Check if there's a valid link at this position (alpha > 0)
  if (linkIndexData.a > 0.0 && linkIndex >= 0.0) {
    // Output the link index
    fragColor = vec4(linkIndex, 0.0, 0.0, 1.0);
  } else {
    // No link at this position, output -1 to indicate no hover
    fragColor = vec4(-1.0, 0.0, 0.0, 0.0);
  }
} `,b3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

in vec2 vertexCoord;

void main() {
  gl_Position = vec4(vertexCoord, 0.0, 1.0);
} `,S3=e=>{let t=ku().exponent(2).range([0,1]).domain([-1,1]),i=Ru(0,e).map(n=>-.5+n/e);i.push(.5);let r=new Array(i.length*2);return i.forEach((n,o)=>{r[o*2]=[t(n*2),.5],r[o*2+1]=[t(n*2),-.5]}),r},Rf=class extends _t{constructor(){super(...arguments),this.linkStatusTextureSize=0,this.transitionProgress=1,this.shouldAnimateLinkColors=!1,this.shouldAnimateLinkWidths=!1,this.shouldAnimatePositions=!1}initPrograms(){let{device:t,config:i,store:r,data:n}=this;this.updateLinkIndexFbo(),this.hoveredLineIndexTexture||(this.hoveredLineIndexTexture=t.createTexture({width:1,height:1,format:"rgba32float",usage:B.SAMPLE|B.RENDER|B.COPY_DST,data:new Float32Array(4).fill(0)})),this.hoveredLineIndexFbo||(this.hoveredLineIndexFbo=t.createFramebuffer({width:1,height:1,colorAttachments:[this.hoveredLineIndexTexture]})),this.curveLineGeometry||this.updateCurveLineGeometry();let o=this.data.linksNumber??0;this.pointABuffer||(this.pointABuffer=t.createBuffer({data:new Float32Array(o*2),usage:L.VERTEX|L.COPY_DST})),this.pointBBuffer||(this.pointBBuffer=t.createBuffer({data:new Float32Array(o*2),usage:L.VERTEX|L.COPY_DST})),this.arrowBuffer||(this.arrowBuffer=t.createBuffer({data:new Float32Array(o),usage:L.VERTEX|L.COPY_DST})),this.linkStyleBuffer||(this.linkStyleBuffer=t.createBuffer({data:new Float32Array(o),usage:L.VERTEX|L.COPY_DST})),this.linkIndexBuffer||(this.linkIndexBuffer=t.createBuffer({data:new Float32Array(o),usage:L.VERTEX|L.COPY_DST})),this.drawLineUniformStore||(this.drawLineUniformStore=new oe(t,{drawLineUniforms:{uniformTypes:{transformationMatrix:"mat4x4<f32>",pointsTextureSize:"f32",widthScale:"f32",linkArrowsSizeScale:"f32",spaceSize:"f32",screenSize:"vec2<f32>",linkVisibilityDistanceRange:"vec2<f32>",linkVisibilityMinTransparency:"f32",linkOpacity:"f32",greyoutOpacity:"f32",curvedWeight:"f32",curvedLinkControlPointDistance:"f32",curvedLinkSegments:"f32",scaleLinksOnZoom:"f32",maxPointSize:"f32",renderMode:"f32",hoveredLinkIndex:"f32",hoveredLinkWidthIncrease:"f32",isLinkHighlightingActive:"f32",linkStatusTextureSize:"f32",focusedLinkIndex:"f32",focusedLinkWidthIncrease:"f32",transitionProgress:"f32",animateColors:"f32",animateWidths:"f32",animatePositions:"f32",pointDefaultColor:"vec4<f32>",linkColorInterpolateFromEndpoints:"f32"},defaultUniforms:{transformationMatrix:r.transformationMatrix4x4,pointsTextureSize:r.pointsTextureSize,widthScale:i.linkWidthScale,linkArrowsSizeScale:i.linkArrowsSizeScale,spaceSize:r.adjustedSpaceSize,screenSize:ee(r.screenSize,[0,0]),linkVisibilityDistanceRange:ee(i.linkVisibilityDistanceRange,[0,0]),linkVisibilityMinTransparency:i.linkVisibilityMinTransparency,linkOpacity:i.linkOpacity,greyoutOpacity:i.linkGreyoutOpacity,curvedWeight:i.curvedLinkWeight,curvedLinkControlPointDistance:i.curvedLinkControlPointDistance,curvedLinkSegments:i.curvedLinks?i.curvedLinkSegments:1,scaleLinksOnZoom:i.scaleLinksOnZoom?1:0,maxPointSize:r.maxPointSize,renderMode:0,hoveredLinkIndex:r.hoveredLinkIndex??-1,hoveredLinkWidthIncrease:i.hoveredLinkWidthIncrease,isLinkHighlightingActive:0,linkStatusTextureSize:0,focusedLinkIndex:i.focusedLinkIndex??-1,focusedLinkWidthIncrease:i.focusedLinkWidthIncrease,transitionProgress:1,animateColors:0,animateWidths:0,animatePositions:0,pointDefaultColor:ue(xt(i.pointDefaultColor),[0,0,0,1]),linkColorInterpolateFromEndpoints:i.linkColorInterpolateFromEndpoints?1:0}},drawLineFragmentUniforms:{uniformTypes:{renderMode:"f32",linkDashLength:"f32",linkDashGap:"f32",linkColorInterpolateFromEndpoints:"f32",hoveredLinkIndex:"f32",hoveredLinkColor:"vec4<f32>"},defaultUniforms:{renderMode:0,linkDashLength:i.linkDashLength,linkDashGap:i.linkDashGap,linkColorInterpolateFromEndpoints:i.linkColorInterpolateFromEndpoints?1:0,hoveredLinkIndex:r.hoveredLinkIndex??-1,hoveredLinkColor:ue(r.hoveredLinkColor,[-1,-1,-1,-1])}}})),this.drawCurveCommand||(this.drawCurveCommand=this.createDrawCurveCommand(this.getLinkBlendParameters(this.config.linkBlending))),this.isLinkBlendingActive=this.config.linkBlending,this.quadBuffer||(this.quadBuffer=t.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1]),usage:L.VERTEX|L.COPY_DST})),this.hoveredLineIndexUniformStore||(this.hoveredLineIndexUniformStore=new oe(t,{hoveredLineIndexUniforms:{uniformTypes:{mousePosition:"vec2<f32>",screenSize:"vec2<f32>"},defaultUniforms:{mousePosition:ee(r.screenMousePosition,[0,0]),screenSize:ee(r.screenSize,[0,0])}}})),this.hoveredLineIndexCommand||(this.hoveredLineIndexCommand=new le(t,{vs:b3,fs:y3,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.quadBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{hoveredLineIndexUniforms:this.hoveredLineIndexUniformStore.getManagedUniformBuffer("hoveredLineIndexUniforms")}})),this.fillSampledLinksUniformStore||(this.fillSampledLinksUniformStore=new oe(t,{fillSampledLinksUniforms:{uniformTypes:{pointsTextureSize:"f32",transformationMatrix:"mat4x4<f32>",spaceSize:"f32",screenSize:"vec2<f32>",curvedWeight:"f32",curvedLinkControlPointDistance:"f32",curvedLinkSegments:"f32"},defaultUniforms:{pointsTextureSize:r.pointsTextureSize??0,transformationMatrix:r.transformationMatrix4x4,spaceSize:r.adjustedSpaceSize,screenSize:ee(r.screenSize,[0,0]),curvedWeight:i.curvedLinkWeight,curvedLinkControlPointDistance:i.curvedLinkControlPointDistance,curvedLinkSegments:i.curvedLinks?i.curvedLinkSegments:1}}})),this.fillSampledLinksFboCommand||(this.fillSampledLinksFboCommand=new le(t,{fs:x3,vs:_3,modules:[m_],topology:"point-list",vertexCount:n.linksNumber??0,attributes:{...this.pointABuffer&&{pointA:this.pointABuffer},...this.pointBBuffer&&{pointB:this.pointBBuffer},...this.linkIndexBuffer&&{linkIndices:this.linkIndexBuffer}},bufferLayout:[{name:"pointA",format:"float32x2"},{name:"pointB",format:"float32x2"},{name:"linkIndices",format:"float32"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{fillSampledLinksUniforms:this.fillSampledLinksUniformStore.getManagedUniformBuffer("fillSampledLinksUniforms")},parameters:{depthWriteEnabled:!1,depthCompare:"always",blend:!1}})),this.updateSampledLinksGrid(),this.updateLinkStatus()}draw(t){let{config:i,points:r,store:n}=this;if(!r||!r.currentPositionTexture||r.currentPositionTexture.destroyed||(r.exitTexture||r.updateExit(),!r.exitTexture||r.exitTexture.destroyed)||((!this.pointABuffer||!this.pointBBuffer)&&this.updatePointsBuffer(),this.targetColorBuffer||this.updateColor(),this.targetWidthBuffer||this.updateWidth(),this.arrowBuffer||this.updateArrow(),this.linkStyleBuffer||this.updateStyle(),this.curveLineGeometry||this.updateCurveLineGeometry(),!this.drawCurveCommand||!this.drawLineUniformStore||!this.linkStatusTexture))return;this.updateLinkBlending();let o=i.highlightedLinkIndices!==void 0;this.drawLineUniformStore.setUniforms({drawLineUniforms:{transformationMatrix:n.transformationMatrix4x4,pointsTextureSize:n.pointsTextureSize,widthScale:i.linkWidthScale,linkArrowsSizeScale:i.linkArrowsSizeScale,spaceSize:n.adjustedSpaceSize,screenSize:ee(n.screenSize,[0,0]),linkVisibilityDistanceRange:ee(i.linkVisibilityDistanceRange,[0,0]),linkVisibilityMinTransparency:i.linkVisibilityMinTransparency,linkOpacity:i.linkOpacity,greyoutOpacity:i.linkGreyoutOpacity,curvedWeight:i.curvedLinkWeight,curvedLinkControlPointDistance:i.curvedLinkControlPointDistance,curvedLinkSegments:i.curvedLinks?i.curvedLinkSegments:1,scaleLinksOnZoom:i.scaleLinksOnZoom?1:0,maxPointSize:n.maxPointSize,renderMode:0,hoveredLinkIndex:n.hoveredLinkIndex??-1,hoveredLinkWidthIncrease:i.hoveredLinkWidthIncrease,isLinkHighlightingActive:o?1:0,linkStatusTextureSize:this.linkStatusTextureSize,focusedLinkIndex:i.focusedLinkIndex??-1,focusedLinkWidthIncrease:i.focusedLinkWidthIncrease,transitionProgress:this.transitionProgress,animateColors:this.shouldAnimateLinkColors?1:0,animateWidths:this.shouldAnimateLinkWidths?1:0,animatePositions:this.shouldAnimatePositions?1:0,pointDefaultColor:ue(this.data.defaultRgba,[0,0,0,1]),linkColorInterpolateFromEndpoints:i.linkColorInterpolateFromEndpoints?1:0},drawLineFragmentUniforms:{renderMode:0,linkDashLength:i.linkDashLength,linkDashGap:i.linkDashGap,linkColorInterpolateFromEndpoints:i.linkColorInterpolateFromEndpoints?1:0,hoveredLinkIndex:n.hoveredLinkIndex??-1,hoveredLinkColor:ue(n.hoveredLinkColor,[-1,-1,-1,-1])}}),this.drawCurveCommand.setBindings({positionsTexture:r.currentPositionTexture,linkStatus:this.linkStatusTexture,exitTexture:r.exitTexture,pointColorsTexture:r.pointColorsTexture??r.currentPositionTexture}),this.drawCurveCommand.setInstanceCount(this.data.linksNumber??0),this.drawCurveCommand.draw(t)}updateLinkIndexFbo(){var t,i;let{device:r,store:n}=this;if(!this.store.isLinkHoveringEnabled)return;let o=n.screenSize??[0,0],s=o[0],a=o[1];if(!s||!a)return;let l=((t=this.previousScreenSize)==null?void 0:t[0])!==s||((i=this.previousScreenSize)==null?void 0:i[1])!==a;(!this.linkIndexTexture||l)&&(this.linkIndexFbo&&!this.linkIndexFbo.destroyed&&this.linkIndexFbo.destroy(),this.linkIndexTexture&&!this.linkIndexTexture.destroyed&&this.linkIndexTexture.destroy(),this.linkIndexTexture=r.createTexture({width:s,height:a,format:"rgba32float",usage:B.SAMPLE|B.RENDER|B.COPY_DST}),this.linkIndexTexture.copyImageData({data:new Float32Array(s*a*4).fill(0),bytesPerRow:q("rgba32float",s),mipLevel:0,x:0,y:0}),this.linkIndexFbo=r.createFramebuffer({width:s,height:a,colorAttachments:[this.linkIndexTexture]}),this.previousScreenSize=[s,a])}updateSampledLinksGrid(){let{store:{screenSize:t},config:{linkSamplingDistance:i},device:r}=this,n=i??Math.min(...t)/2;n===0&&(n=Ut.linkSamplingDistance);let o=Math.ceil(t[0]/n),s=Math.ceil(t[1]/n);o===0||s===0||(!this.sampledLinksFbo||this.sampledLinksFbo.width!==o||this.sampledLinksFbo.height!==s)&&(this.sampledLinksFbo&&!this.sampledLinksFbo.destroyed&&this.sampledLinksFbo.destroy(),this.sampledLinksFbo=r.createFramebuffer({width:o,height:s,colorAttachments:["rgba32float"]}))}updatePointsBuffer(){var t;let{device:i,data:r,store:n}=this;if(r.linksNumber===void 0||r.links===void 0||!n.pointsTextureSize)return;let o=new Float32Array(r.linksNumber*2),s=new Float32Array(r.linksNumber*2);for(let c=0;c<r.linksNumber;c++){let u=r.links[c*2],f=r.links[c*2+1],d=u%n.pointsTextureSize,h=Math.floor(u/n.pointsTextureSize),m=f%n.pointsTextureSize,g=Math.floor(f/n.pointsTextureSize);o[c*2]=d,o[c*2+1]=h,s[c*2]=m,s[c*2+1]=g}let a=(((t=this.pointABuffer)==null?void 0:t.byteLength)??0)/(Float32Array.BYTES_PER_ELEMENT*2);!this.pointABuffer||a!==r.linksNumber?(this.pointABuffer&&!this.pointABuffer.destroyed&&this.pointABuffer.destroy(),this.pointABuffer=i.createBuffer({data:o,usage:L.VERTEX|L.COPY_DST})):this.pointABuffer.write(o),!this.pointBBuffer||a!==r.linksNumber?(this.pointBBuffer&&!this.pointBBuffer.destroyed&&this.pointBBuffer.destroy(),this.pointBBuffer=i.createBuffer({data:s,usage:L.VERTEX|L.COPY_DST})):this.pointBBuffer.write(s);let l=new Float32Array(r.linksNumber);for(let c=0;c<r.linksNumber;c++)l[c]=c;!this.linkIndexBuffer||a!==r.linksNumber?(this.linkIndexBuffer&&!this.linkIndexBuffer.destroyed&&this.linkIndexBuffer.destroy(),this.linkIndexBuffer=i.createBuffer({data:l,usage:L.VERTEX|L.COPY_DST})):this.linkIndexBuffer.write(l),this.setDrawCurveCommandAttributes({pointA:this.pointABuffer,pointB:this.pointBBuffer,linkIndices:this.linkIndexBuffer}),this.fillSampledLinksFboCommand&&this.fillSampledLinksFboCommand.setAttributes({pointA:this.pointABuffer,pointB:this.pointBBuffer,linkIndices:this.linkIndexBuffer}),this.updateSampledLinksGrid(),this.config.highlightedLinkIndices!==void 0&&this.updateLinkStatus()}updateColor(){let{data:t}=this,i=t.linksNumber??0,r=t.linkColors??new Float32Array(i*4).fill(0),{source:n,target:o,previous:s}=ga(this.device,r,this.sourceColorBuffer,this.targetColorBuffer,this.previousColorData,4);this.sourceColorBuffer=n,this.targetColorBuffer=o,this.previousColorData=s,this.setDrawCurveCommandAttributes({...this.sourceColorBuffer&&{sourceColor:this.sourceColorBuffer},...this.targetColorBuffer&&{targetColor:this.targetColorBuffer}})}updateWidth(){let{data:t}=this,i=t.linksNumber??0,r=t.linkWidths??new Float32Array(i).fill(0),{source:n,target:o,previous:s}=ga(this.device,r,this.sourceWidthBuffer,this.targetWidthBuffer,this.previousWidthData,1);this.sourceWidthBuffer=n,this.targetWidthBuffer=o,this.previousWidthData=s,this.setDrawCurveCommandAttributes({...this.sourceWidthBuffer&&{sourceWidth:this.sourceWidthBuffer},...this.targetWidthBuffer&&{targetWidth:this.targetWidthBuffer}})}updateArrow(){let{device:t,data:i}=this,r=i.linksNumber??0,n=i.linkArrows?new Float32Array(i.linkArrows):new Float32Array(r);this.arrowBuffer=p_(t,this.arrowBuffer,n),this.setDrawCurveCommandAttributes({arrow:this.arrowBuffer})}updateStyle(){let{device:t,data:i}=this;i.linksNumber===void 0||i.linkStyles===void 0||(this.linkStyleBuffer=p_(t,this.linkStyleBuffer,i.linkStyles),this.setDrawCurveCommandAttributes({linkStyle:this.linkStyleBuffer}))}updateLinkStatus(){let{device:t,config:i,data:r}=this,n=r.linksNumber??0;if(!n){this.linkStatusTexture||this.ensureLinkStatusPlaceholder();return}let{highlightedLinkIndices:o}=i;if(o===void 0){this.linkStatusTexture||this.ensureLinkStatusPlaceholder(),this.linkStatusTextureSize=0;return}let s=Math.ceil(Math.sqrt(n));this.linkStatusTextureSize=s;let a=new Float32Array(s*s*4);for(let c=0;c<n;c++)a[c*4]=1;for(let c of o)c>=0&&c<n&&(a[c*4]=0);let l={data:a,bytesPerRow:q("rgba32float",s),mipLevel:0,x:0,y:0};!this.linkStatusTexture||this.linkStatusTexture.width!==s||this.linkStatusTexture.height!==s?(this.linkStatusTexture&&!this.linkStatusTexture.destroyed&&this.linkStatusTexture.destroy(),this.linkStatusTexture=t.createTexture({width:s,height:s,format:"rgba32float",usage:B.SAMPLE|B.RENDER|B.COPY_DST}),this.linkStatusTexture.copyImageData(l)):this.linkStatusTexture.copyImageData(l)}updateCurveLineGeometry(){var t,i;let{device:r,config:{curvedLinks:n,curvedLinkSegments:o}}=this;this.curveLineGeometry=S3(n?o:1);let s=new Float32Array(this.curveLineGeometry.length*2);for(let a=0;a<this.curveLineGeometry.length;a++)s[a*2]=this.curveLineGeometry[a][0],s[a*2+1]=this.curveLineGeometry[a][1];!this.curveLineBuffer||this.curveLineBuffer.byteLength!==s.byteLength?(this.curveLineBuffer&&!this.curveLineBuffer.destroyed&&this.curveLineBuffer.destroy(),this.curveLineBuffer=r.createBuffer({data:s,usage:L.VERTEX|L.COPY_DST})):this.curveLineBuffer.write(s),this.setDrawCurveCommandAttributes({position:this.curveLineBuffer}),(t=this.drawCurveCommand)==null||t.setVertexCount(this.curveLineGeometry.length),(i=this.drawCurvePickingCommand)==null||i.setVertexCount(this.curveLineGeometry.length)}updateLinkBlending(){var t;let i=this.config.linkBlending;i!==this.isLinkBlendingActive&&((t=this.drawCurveCommand)==null||t.setParameters(this.getLinkBlendParameters(i)),this.isLinkBlendingActive=i)}getSampledLinkPositionsMap(){let t=new Map;if(!this.sampledLinksFbo||this.sampledLinksFbo.destroyed)return t;let i=this.points;if(!(i!=null&&i.currentPositionTexture)||i.currentPositionTexture.destroyed||!i.exitTexture||i.exitTexture.destroyed)return t;if(this.fillSampledLinksFboCommand&&this.fillSampledLinksUniformStore&&this.sampledLinksFbo){this.fillSampledLinksFboCommand.setVertexCount(this.data.linksNumber??0),this.fillSampledLinksUniformStore.setUniforms({fillSampledLinksUniforms:{pointsTextureSize:this.store.pointsTextureSize??0,transformationMatrix:this.store.transformationMatrix4x4,spaceSize:this.store.adjustedSpaceSize,screenSize:ee(this.store.screenSize,[0,0]),curvedWeight:this.config.curvedLinkWeight,curvedLinkControlPointDistance:this.config.curvedLinkControlPointDistance,curvedLinkSegments:this.config.curvedLinks?this.config.curvedLinkSegments:1}}),this.fillSampledLinksFboCommand.setBindings({positionsTexture:i.currentPositionTexture,exitTexture:i.exitTexture});let n=this.device.beginRenderPass({framebuffer:this.sampledLinksFbo,clearColor:[-1,-1,-1,-1]});this.fillSampledLinksFboCommand.draw(n),n.end()}let r=We(this.device,this.sampledLinksFbo);for(let n=0;n<r.length/4;n++){let o=r[n*4],s=r[n*4+1],a=r[n*4+2],l=r[n*4+3];o!==void 0&&o>=0&&s!==void 0&&a!==void 0&&l!==void 0&&t.set(Math.round(o),[s,a,l])}return t}getSampledLinks(){let t=[],i=[],r=[];if(!this.sampledLinksFbo||this.sampledLinksFbo.destroyed)return{indices:t,positions:i,angles:r};let n=this.points;if(!(n!=null&&n.currentPositionTexture)||n.currentPositionTexture.destroyed)return{indices:t,positions:i,angles:r};if(!n.exitTexture||n.exitTexture.destroyed)return{indices:t,positions:i,angles:r};if(this.fillSampledLinksFboCommand&&this.fillSampledLinksUniformStore&&this.sampledLinksFbo){this.fillSampledLinksFboCommand.setVertexCount(this.data.linksNumber??0),this.fillSampledLinksUniformStore.setUniforms({fillSampledLinksUniforms:{pointsTextureSize:this.store.pointsTextureSize??0,transformationMatrix:this.store.transformationMatrix4x4,spaceSize:this.store.adjustedSpaceSize,screenSize:ee(this.store.screenSize,[0,0]),curvedWeight:this.config.curvedLinkWeight,curvedLinkControlPointDistance:this.config.curvedLinkControlPointDistance,curvedLinkSegments:this.config.curvedLinks?this.config.curvedLinkSegments:1}}),this.fillSampledLinksFboCommand.setBindings({positionsTexture:n.currentPositionTexture,exitTexture:n.exitTexture});let s=this.device.beginRenderPass({framebuffer:this.sampledLinksFbo,clearColor:[-1,-1,-1,-1]});this.fillSampledLinksFboCommand.draw(s),s.end()}let o=We(this.device,this.sampledLinksFbo);for(let s=0;s<o.length/4;s++){let a=o[s*4],l=o[s*4+1],c=o[s*4+2],u=o[s*4+3];a!==void 0&&a>=0&&l!==void 0&&c!==void 0&&u!==void 0&&(t.push(Math.round(a)),i.push(l,c),r.push(u))}return{indices:t,positions:i,angles:r}}findHoveredLine(){let{config:t,points:i,store:r}=this;if(!i||!i.currentPositionTexture||i.currentPositionTexture.destroyed||(i.exitTexture||i.updateExit(),!i.exitTexture||i.exitTexture.destroyed)||!this.data.linksNumber||!this.store.isLinkHoveringEnabled||!this.linkIndexFbo||!this.drawLineUniformStore||!this.linkStatusTexture||!this.linkIndexTexture||this.linkIndexTexture.destroyed)return;this.drawCurvePickingCommand||(this.drawCurvePickingCommand=this.createDrawCurveCommand(this.getLinkBlendParameters(!1)));let n=t.highlightedLinkIndices!==void 0;this.drawLineUniformStore.setUniforms({drawLineUniforms:{transformationMatrix:r.transformationMatrix4x4,pointsTextureSize:r.pointsTextureSize,widthScale:t.linkWidthScale,linkArrowsSizeScale:t.linkArrowsSizeScale,spaceSize:r.adjustedSpaceSize,screenSize:ee(r.screenSize,[0,0]),linkVisibilityDistanceRange:ee(t.linkVisibilityDistanceRange,[0,0]),linkVisibilityMinTransparency:t.linkVisibilityMinTransparency,linkOpacity:t.linkOpacity,greyoutOpacity:t.linkGreyoutOpacity,curvedWeight:t.curvedLinkWeight,curvedLinkControlPointDistance:t.curvedLinkControlPointDistance,curvedLinkSegments:t.curvedLinks?t.curvedLinkSegments:1,scaleLinksOnZoom:t.scaleLinksOnZoom?1:0,maxPointSize:r.maxPointSize,renderMode:1,hoveredLinkIndex:r.hoveredLinkIndex??-1,hoveredLinkWidthIncrease:t.hoveredLinkWidthIncrease,isLinkHighlightingActive:n?1:0,linkStatusTextureSize:this.linkStatusTextureSize,focusedLinkIndex:t.focusedLinkIndex??-1,focusedLinkWidthIncrease:t.focusedLinkWidthIncrease,transitionProgress:this.transitionProgress,animateColors:this.shouldAnimateLinkColors?1:0,animateWidths:this.shouldAnimateLinkWidths?1:0,animatePositions:this.shouldAnimatePositions?1:0,pointDefaultColor:ue(this.data.defaultRgba,[0,0,0,1]),linkColorInterpolateFromEndpoints:t.linkColorInterpolateFromEndpoints?1:0},drawLineFragmentUniforms:{renderMode:1,linkDashLength:t.linkDashLength,linkDashGap:t.linkDashGap,linkColorInterpolateFromEndpoints:t.linkColorInterpolateFromEndpoints?1:0,hoveredLinkIndex:r.hoveredLinkIndex??-1,hoveredLinkColor:ue(r.hoveredLinkColor,[-1,-1,-1,-1])}}),this.drawCurvePickingCommand.setBindings({positionsTexture:i.currentPositionTexture,linkStatus:this.linkStatusTexture,exitTexture:i.exitTexture,pointColorsTexture:i.pointColorsTexture??i.currentPositionTexture}),this.drawCurvePickingCommand.setInstanceCount(this.data.linksNumber??0);let o=this.device.beginRenderPass({framebuffer:this.linkIndexFbo,clearColor:[0,0,0,0]});if(this.drawCurvePickingCommand.draw(o),o.end(),this.hoveredLineIndexCommand&&this.hoveredLineIndexFbo&&this.hoveredLineIndexUniformStore){this.hoveredLineIndexUniformStore.setUniforms({hoveredLineIndexUniforms:{mousePosition:ee(r.screenMousePosition,[0,0]),screenSize:ee(r.screenSize,[0,0])}}),this.hoveredLineIndexCommand.setBindings({linkIndexTexture:this.linkIndexTexture});let s=this.device.beginRenderPass({framebuffer:this.hoveredLineIndexFbo});this.hoveredLineIndexCommand.draw(s),s.end()}}setTransitionProgress(t,i=!1,r=!1,n=!1){this.transitionProgress=t,this.shouldAnimateLinkColors=i,this.shouldAnimateLinkWidths=r,this.shouldAnimatePositions=n}destroy(){var t,i,r,n,o,s,a;(t=this.drawCurveCommand)==null||t.destroy(),this.drawCurveCommand=void 0,(i=this.drawCurvePickingCommand)==null||i.destroy(),this.drawCurvePickingCommand=void 0,this.isLinkBlendingActive=void 0,(r=this.hoveredLineIndexCommand)==null||r.destroy(),this.hoveredLineIndexCommand=void 0,(n=this.fillSampledLinksFboCommand)==null||n.destroy(),this.fillSampledLinksFboCommand=void 0,this.linkIndexFbo&&!this.linkIndexFbo.destroyed&&this.linkIndexFbo.destroy(),this.linkIndexFbo=void 0,this.sampledLinksFbo&&!this.sampledLinksFbo.destroyed&&this.sampledLinksFbo.destroy(),this.sampledLinksFbo=void 0,this.hoveredLineIndexFbo&&!this.hoveredLineIndexFbo.destroyed&&this.hoveredLineIndexFbo.destroy(),this.hoveredLineIndexFbo=void 0,this.linkIndexTexture&&!this.linkIndexTexture.destroyed&&this.linkIndexTexture.destroy(),this.linkIndexTexture=void 0,this.hoveredLineIndexTexture&&!this.hoveredLineIndexTexture.destroyed&&this.hoveredLineIndexTexture.destroy(),this.hoveredLineIndexTexture=void 0,this.linkStatusTexture&&!this.linkStatusTexture.destroyed&&this.linkStatusTexture.destroy(),this.linkStatusTexture=void 0,(o=this.drawLineUniformStore)==null||o.destroy(),this.drawLineUniformStore=void 0,(s=this.hoveredLineIndexUniformStore)==null||s.destroy(),this.hoveredLineIndexUniformStore=void 0,(a=this.fillSampledLinksUniformStore)==null||a.destroy(),this.fillSampledLinksUniformStore=void 0,this.pointABuffer&&!this.pointABuffer.destroyed&&this.pointABuffer.destroy(),this.pointABuffer=void 0,this.pointBBuffer&&!this.pointBBuffer.destroyed&&this.pointBBuffer.destroy(),this.pointBBuffer=void 0,this.sourceColorBuffer&&!this.sourceColorBuffer.destroyed&&this.sourceColorBuffer.destroy(),this.sourceColorBuffer=void 0,this.targetColorBuffer&&!this.targetColorBuffer.destroyed&&this.targetColorBuffer.destroy(),this.targetColorBuffer=void 0,this.previousColorData=void 0,this.sourceWidthBuffer&&!this.sourceWidthBuffer.destroyed&&this.sourceWidthBuffer.destroy(),this.sourceWidthBuffer=void 0,this.targetWidthBuffer&&!this.targetWidthBuffer.destroyed&&this.targetWidthBuffer.destroy(),this.targetWidthBuffer=void 0,this.previousWidthData=void 0,this.arrowBuffer&&!this.arrowBuffer.destroyed&&this.arrowBuffer.destroy(),this.arrowBuffer=void 0,this.linkStyleBuffer&&!this.linkStyleBuffer.destroyed&&this.linkStyleBuffer.destroy(),this.linkStyleBuffer=void 0,this.curveLineBuffer&&!this.curveLineBuffer.destroyed&&this.curveLineBuffer.destroy(),this.curveLineBuffer=void 0,this.linkIndexBuffer&&!this.linkIndexBuffer.destroyed&&this.linkIndexBuffer.destroy(),this.linkIndexBuffer=void 0,this.quadBuffer&&!this.quadBuffer.destroyed&&this.quadBuffer.destroy(),this.quadBuffer=void 0}createDrawCurveCommand(t){var i;if(!this.drawLineUniformStore)throw new Error("Draw line uniforms must be initialized before creating link draw commands");return new le(this.device,{vs:g3,fs:m3,modules:[m_],topology:"triangle-strip",vertexCount:((i=this.curveLineGeometry)==null?void 0:i.length)??0,attributes:this.getDrawCurveCommandAttributes(),bufferLayout:[{name:"position",format:"float32x2"},{name:"pointA",format:"float32x2",stepMode:"instance"},{name:"pointB",format:"float32x2",stepMode:"instance"},{name:"sourceColor",format:"float32x4",stepMode:"instance"},{name:"targetColor",format:"float32x4",stepMode:"instance"},{name:"sourceWidth",format:"float32",stepMode:"instance"},{name:"targetWidth",format:"float32",stepMode:"instance"},{name:"arrow",format:"float32",stepMode:"instance"},{name:"linkIndices",format:"float32",stepMode:"instance"},{name:"linkStyle",format:"float32",stepMode:"instance"}],defines:{USE_UNIFORM_BUFFERS:!0,EXIT_DEFAULT_COLOR_CHANNEL:Cf(Df)},bindings:{drawLineUniforms:this.drawLineUniformStore.getManagedUniformBuffer("drawLineUniforms"),drawLineFragmentUniforms:this.drawLineUniformStore.getManagedUniformBuffer("drawLineFragmentUniforms")},parameters:t})}getDrawCurveCommandAttributes(){let t={};return this.curveLineBuffer&&(t.position=this.curveLineBuffer),this.pointABuffer&&(t.pointA=this.pointABuffer),this.pointBBuffer&&(t.pointB=this.pointBBuffer),this.sourceColorBuffer&&(t.sourceColor=this.sourceColorBuffer),this.targetColorBuffer&&(t.targetColor=this.targetColorBuffer),this.sourceWidthBuffer&&(t.sourceWidth=this.sourceWidthBuffer),this.targetWidthBuffer&&(t.targetWidth=this.targetWidthBuffer),this.arrowBuffer&&(t.arrow=this.arrowBuffer),this.linkIndexBuffer&&(t.linkIndices=this.linkIndexBuffer),this.linkStyleBuffer&&(t.linkStyle=this.linkStyleBuffer),t}setDrawCurveCommandAttributes(t){var i,r;(i=this.drawCurveCommand)==null||i.setAttributes(t),(r=this.drawCurvePickingCommand)==null||r.setAttributes(t)}getLinkBlendParameters(t){let i={cullMode:"back",depthWriteEnabled:!1,depthCompare:"always"};return t?{...i,blend:!0,blendColorOperation:"add",blendColorSrcFactor:"src-alpha",blendColorDstFactor:"one-minus-src-alpha",blendAlphaOperation:"add",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one-minus-src-alpha"}:{...i,blend:!1}}ensureLinkStatusPlaceholder(){this.linkStatusTexture&&!this.linkStatusTexture.destroyed||(this.linkStatusTexture=this.device.createTexture({width:1,height:1,format:"rgba32float",usage:B.SAMPLE|B.RENDER|B.COPY_DST,data:new Float32Array(4).fill(0)}),this.linkStatusTextureSize=0)}},v3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

uniform sampler2D imageAtlasTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform drawFragmentUniforms {
  float greyoutOpacity;
  float pointOpacity;
  float isDarkenGreyout;
  vec4 backgroundColor;
  vec4 outlineColor;
  float outlineWidth;
} drawFragment;

#define greyoutOpacity drawFragment.greyoutOpacity
#define pointOpacity drawFragment.pointOpacity
#define isDarkenGreyout drawFragment.isDarkenGreyout
#define backgroundColor drawFragment.backgroundColor
#define outlineColor drawFragment.outlineColor
#define outlineWidth drawFragment.outlineWidth
#else
uniform float greyoutOpacity;
uniform float pointOpacity;
uniform float isDarkenGreyout;
uniform vec4 backgroundColor;
uniform vec4 outlineColor;
uniform float outlineWidth;
#endif


in float pointShape;
in float isGreyedOut;
in float isOutlined;
in vec4 shapeColor;
in vec4 imageAtlasUV;
in float shapeSize;
in float imageSizeVarying;
in float overallSize;

out vec4 fragColor;

// Smoothing controls the smoothness of the point's edge
const float smoothing = 0.9;

// Shape constants
const float CIRCLE = 0.0;
const float SQUARE = 1.0;
const float TRIANGLE = 2.0;
const float DIAMOND = 3.0;
const float PENTAGON = 4.0;
const float HEXAGON = 5.0;
const float STAR = 6.0;
const float CROSS = 7.0;
const float NONE = 8.0;

// Distance functions for different shapes
float circleDistance(vec2 p) {
    return dot(p, p);
}

// Function to apply greyout logic to image colors
vec4 applyGreyoutToImage(vec4 imageColor, float isGreyedOutValue) {
    vec3 finalColor = imageColor.rgb;
    float finalAlpha = imageColor.a;
    
    if (isGreyedOutValue > 0.0) {
        float blendFactor = 0.65; // Controls how much to modify (0.0 = original, 1.0 = target color)
        
        if (isDarkenGreyout > 0.0) {
            finalColor = mix(finalColor, vec3(0.2), blendFactor);
        } else {
            finalColor = mix(finalColor, max(backgroundColor.rgb, vec3(0.8)), blendFactor);
        }
    }
    
    return vec4(finalColor, finalAlpha);
}

float squareDistance(vec2 p) {
    vec2 d = abs(p) - vec2(0.8);
    return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0);
}

float triangleDistance(vec2 p) {
    const float k = sqrt(3.0);   // \u22481.732; slope of 60\xB0 lines for an equilateral triangle
    p.x = abs(p.x) - 0.9;        // fold the X axis and shift: brings left and right halves together
    p.y = p.y + 0.55;             // move the whole shape up slightly so it is centred vertically

    // reflect points that fall outside the main triangle back inside, to reuse the same maths
    if (p.x + k * p.y > 0.0)
        p = vec2(p.x - k * p.y,  -k * p.x - p.y) / 2.0;

    p.x -= clamp(p.x, -1.0, 0.0); // clip any remainder on the left side

    // Return signed distance: negative = inside; positive = outside
    return -length(p) * sign(p.y);
}

float diamondDistance(vec2 p) {
    // aspect > 1  \u2192  taller diamond
    const float aspect = 1.2;
    return abs(p.x) + abs(p.y) / aspect - 0.8;
}

float pentagonDistance(vec2 p) {
    // Regular pentagon signed-distance (Inigo Quilez)
    const vec3 k = vec3(0.809016994, 0.587785252, 0.726542528);
    p.x = abs(p.x);

    // Reflect across the two tilted edges \u2500 only if point is outside
    p -= 2.0 * min(dot(vec2(-k.x, k.y), p), 0.0) * vec2(-k.x, k.y);
    p -= 2.0 * min(dot(vec2( k.x, k.y), p), 0.0) * vec2( k.x, k.y);

    // Clip against the top horizontal edge (keeps top point sharp)
    p -= vec2(clamp(p.x, -k.z * k.x, k.z * k.x), k.z);

    // Return signed distance (negative \u2192 inside, positive \u2192 outside)
    return length(p) * sign(p.y);
}

float hexagonDistance(vec2 p) {
    const vec3 k = vec3(-0.866025404, 0.5, 0.577350269);
    p = abs(p);
    p -= 2.0 * min(dot(k.xy, p), 0.0) * k.xy;
    p -= vec2(clamp(p.x, -k.z * 0.8, k.z * 0.8), 0.8);
    return length(p) * sign(p.y);
}

float starDistance(vec2 p) {
    // 5-point star signed-distance function (adapted from Inigo Quilez)
    // r  \u2013 outer radius, rf \u2013 inner/outer radius ratio
    const float r  = 0.9;
    const float rf = 0.45;

    // Pre-computed rotation vectors for the star arms (36\xB0 increments)
    const vec2 k1 = vec2(0.809016994, -0.587785252);
    const vec2 k2 = vec2(-k1.x, k1.y);

    // Fold the plane into a single arm sector
    p.x = abs(p.x);
    p -= 2.0 * max(dot(k1, p), 0.0) * k1;
    p -= 2.0 * max(dot(k2, p), 0.0) * k2;
    p.x = abs(p.x);

    // Translate so the top tip of the star lies on the X-axis
    p.y -= r;

    // Vector describing the edge between an outer tip and its adjacent inner point
    vec2 ba = rf * vec2(-k1.y, k1.x) - vec2(0.0, 1.0);
    // Project the point onto that edge and clamp the projection to the segment
    float h = clamp(dot(p, ba) / dot(ba, ba), 0.0, r);

    // Return signed distance (negative => inside, positive => outside)
    return length(p - ba * h) * sign(p.y * ba.x - p.x * ba.y);
}

float crossDistance(vec2 p) {
    // Signed distance function for a cross (union of two rectangles)
    // Adapted from Inigo Quilez (https://iquilezles.org/)
    // Each arm has half-sizes 0.3 (thickness) and 0.8 (length)
    p = abs(p);
    if (p.y > p.x) p = p.yx;       // exploit symmetry

    vec2 q = p - vec2(0.8, 0.3);   // subtract half-sizes (length, thickness)

    // Standard rectangle SDF, then take union of the two arms
    return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0);
}

float getShapeDistance(vec2 p, float shape) {
    if (shape == SQUARE) return squareDistance(p);
    else if (shape == TRIANGLE) return triangleDistance(p);
    else if (shape == DIAMOND) return diamondDistance(p);
    else if (shape == PENTAGON) return pentagonDistance(p);
    else if (shape == HEXAGON) return hexagonDistance(p);
    else if (shape == STAR) return starDistance(p);
    else if (shape == CROSS) return crossDistance(p);
    else return circleDistance(p); // Default to circle
}

void main() {
    // Discard the fragment if the point is fully transparent and has no image
    if (shapeColor.a == 0.0 && imageAtlasUV.x == -1.0) {
        discard;
    }

    // Discard the fragment if the point has no shape and no image
    if (pointShape == NONE && imageAtlasUV.x == -1.0) {
        discard;
    }

    // Calculate coordinates within the point
    vec2 pointCoord = 2.0 * gl_PointCoord - 1.0;

    vec4 finalShapeColor = vec4(0.0);
    vec4 finalImageColor = vec4(0.0);
    
    // Handle shape rendering with centering logic
    if (pointShape != NONE) {
        // Calculate shape coordinates with centering
        vec2 shapeCoord = pointCoord;
        if (overallSize > shapeSize && shapeSize > 0.0) {
            // Shape is smaller than overall size, center it
            float scale = shapeSize / overallSize;
            shapeCoord = pointCoord / scale;
        }
        
        float opacity;
        if (pointShape == CIRCLE) {
            // For circles, use the original distance calculation
            float pointCenterDistance = dot(shapeCoord, shapeCoord);
            opacity = 1.0 - smoothstep(smoothing, 1.0, pointCenterDistance);
        } else {
            // For other shapes, use the shape distance function
            float shapeDistance = getShapeDistance(shapeCoord, pointShape);
            opacity = 1.0 - smoothstep(-0.01, 0.01, shapeDistance);
        }
        opacity *= shapeColor.a;

        finalShapeColor = vec4(shapeColor.rgb, opacity);
    }

    // Handle image rendering with centering logic
    if (imageAtlasUV.x != -1.0) {
        // Calculate image coordinates with centering
        vec2 imageCoord = pointCoord;
        if (overallSize > imageSizeVarying && imageSizeVarying > 0.0) {
            // Image is smaller than overall size, center it
            float scale = imageSizeVarying / overallSize;
            imageCoord = pointCoord / scale;
            
            // Check if we're outside the valid image area
            if (abs(imageCoord.x) > 1.0 || abs(imageCoord.y) > 1.0) {
                // We're outside the image bounds, don't render the image
                finalImageColor = vec4(0.0);
            } else {
                // Sample from texture atlas
                vec2 atlasUV = mix(imageAtlasUV.xy, imageAtlasUV.zw, (imageCoord + 1.0) * 0.5);
                vec4 imageColor = texture(imageAtlasTexture, atlasUV);
                finalImageColor = applyGreyoutToImage(imageColor, isGreyedOut);
            }
        } else {
            // Image is same size or larger than overall size, no scaling needed
            // Sample from texture atlas
            vec2 atlasUV = mix(imageAtlasUV.xy, imageAtlasUV.zw, (imageCoord + 1.0) * 0.5);
            vec4 imageColor = texture(imageAtlasTexture, atlasUV);
            finalImageColor = applyGreyoutToImage(imageColor, isGreyedOut);
        }
    }

    float finalPointAlpha = max(finalShapeColor.a, finalImageColor.a);
    if (isGreyedOut > 0.0 && greyoutOpacity != -1.0) {
        finalPointAlpha *= greyoutOpacity;
    } else {
        finalPointAlpha *= pointOpacity;
    }

    // Blend image color above point color
    fragColor = vec4(
        mix(finalShapeColor.rgb, finalImageColor.rgb, finalImageColor.a),
        finalPointAlpha
    );

    // Render outline ring around the point
    if (isOutlined > 0.0) {
        float r = length(pointCoord);
        const float ringSmoothing = 1.025;
        float rSafe = max(r, 1e-6);
        float wSafe = max(outlineWidth, 1e-6);
        float outerEdge = smoothstep(rSafe, rSafe * ringSmoothing, 1.0);
        float innerEdge = smoothstep(wSafe, wSafe * ringSmoothing, r);
        float ringAlpha = outerEdge * innerEdge;

        // Grey out the ring color when the point is greyed
        vec3 ringColor = outlineColor.rgb;
        if (isGreyedOut > 0.0) {
            float blendFactor = 0.65;
            if (isDarkenGreyout > 0.0) {
                ringColor = mix(ringColor, vec3(0.2), blendFactor);
            } else {
                ringColor = mix(ringColor, max(backgroundColor.rgb, vec3(0.8)), blendFactor);
            }
        }

        float ringOpacity = ringAlpha * outlineColor.a;
        // Composite ring on top of existing fragment
        fragColor = vec4(
            mix(fragColor.rgb, ringColor, ringOpacity),
            max(fragColor.a, ringOpacity)
        );
    }
}
`,T3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

in vec2 pointIndices;
in float sourceSize;
in float targetSize;
in vec4 sourceColor;
in vec4 targetColor;
in float shape;
in float imageIndex;
in float imageSize;

uniform sampler2D positionsTexture;
uniform sampler2D pointStatus;
uniform sampler2D exitTexture;
uniform sampler2D imageAtlasCoords;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform drawVertexUniforms {
  float ratio;
  mat4 transformationMatrix;
  float pointsTextureSize;
  float sizeScale;
  float spaceSize;
  vec2 screenSize;
  vec4 greyoutColor;
  vec4 backgroundColor;
  float scalePointsOnZoom;
  float maxPointSize;
  float isDarkenGreyout;
  float skipHighlighted;
  float skipGreyed;
  float hasImages;
  float imageCount;
  float imageAtlasCoordsTextureSize;
  float transitionProgress;
  float animateColors;
  float animateSizes;
  float animatePositions;
  vec4 pointDefaultColor;
  float pointDefaultSize;
} drawVertex;

#define ratio drawVertex.ratio
#define transformationMatrix drawVertex.transformationMatrix
#define pointsTextureSize drawVertex.pointsTextureSize
#define sizeScale drawVertex.sizeScale
#define spaceSize drawVertex.spaceSize
#define screenSize drawVertex.screenSize
#define greyoutColor drawVertex.greyoutColor
#define backgroundColor drawVertex.backgroundColor
#define scalePointsOnZoom drawVertex.scalePointsOnZoom
#define maxPointSize drawVertex.maxPointSize
#define isDarkenGreyout drawVertex.isDarkenGreyout
#define skipHighlighted drawVertex.skipHighlighted
#define skipGreyed drawVertex.skipGreyed
#define hasImages drawVertex.hasImages
#define imageCount drawVertex.imageCount
#define imageAtlasCoordsTextureSize drawVertex.imageAtlasCoordsTextureSize
#define transitionProgress drawVertex.transitionProgress
#define animateColors drawVertex.animateColors
#define animateSizes drawVertex.animateSizes
#define animatePositions drawVertex.animatePositions
#define pointDefaultColor drawVertex.pointDefaultColor
#define pointDefaultSize drawVertex.pointDefaultSize
#else
uniform float ratio;
uniform mat3 transformationMatrix;
uniform float pointsTextureSize;
uniform float sizeScale;
uniform float spaceSize;
uniform vec2 screenSize;
uniform vec4 greyoutColor;
uniform vec4 backgroundColor;
uniform float scalePointsOnZoom;
uniform float maxPointSize;
uniform float isDarkenGreyout;
uniform float skipHighlighted;
uniform float skipGreyed;
uniform float hasImages;
uniform float imageCount;
uniform float imageAtlasCoordsTextureSize;
uniform float transitionProgress;
uniform float animateColors;
uniform float animateSizes;
uniform float animatePositions;
uniform vec4 pointDefaultColor;
uniform float pointDefaultSize;
#endif

out float pointShape;
out float isGreyedOut;
out float isOutlined;
out vec4 shapeColor;
out vec4 imageAtlasUV;
out float shapeSize;
out float imageSizeVarying;
out float overallSize;

float calculatePointSize(float size) {
  float pSize;

  if (scalePointsOnZoom > 0.0) {
    pSize = size * ratio * transformationMatrix[0][0];
  } else {
    pSize = size * ratio * min(5.0, max(1.0, transformationMatrix[0][0] * 0.01));
  }

  return min(pSize, maxPointSize * ratio);
}

const float outlineRingScale = 1.3;

// Read-time resolution of NaN channels \u2014 input arrays are used verbatim and never
// edited, so "use the default" stays encoded as NaN all the way to the GPU. A NaN
// resolves to the config default blended toward the exit default along the animated
// exit ramp (0 = present, 1 = gone), so the enter/exit fade of default-valued
// channels drives itself \u2014 no size/color transition needed for a removal. Explicit
// (real) values pass through. EXIT_DEFAULT_* are #defines injected from variables.ts,
// shared with the CPU resolvers (GraphData.getResolvedPoint*).
float resolveSize(float size, float exitRamp) {
  if (!isnan(size)) return size;
  return mix(pointDefaultSize, EXIT_DEFAULT_SIZE, exitRamp);
}

vec4 resolveColor(vec4 color, float exitRamp) {
  vec4 defaultColor = mix(pointDefaultColor, vec4(EXIT_DEFAULT_COLOR_CHANNEL), exitRamp);
  return mix(color, defaultColor, isnan(color));
}

void main() {
  // Read point status texture: R = greyout, G = outlined
  vec4 status = texture(pointStatus, (pointIndices + 0.5) / pointsTextureSize);
  isGreyedOut = status.r;
  isOutlined = status.g;
  float isHighlighted = (status.r == 0.0) ? 1.0 : 0.0;

  // Discard point based on rendering mode
  if (skipHighlighted > 0.0 && isHighlighted > 0.0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 0.0;
    return;
  }
  if (skipGreyed > 0.0 && isHighlighted <= 0.0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 0.0;
    return;
  }

  // Exit texture: R = previous absence, G = current absence (1 = absent). During a
  // position transition, blend R\u2192G to animate the enter/exit; otherwise use G (the
  // settled current absence) so an unrelated color/size transition can't replay the
  // ramp. The caller drives the visual fade via setPointSizes/setPointColors; here
  // we only remove the point once it is fully gone.
  vec4 exitStatus = texture(exitTexture, (pointIndices + 0.5) / pointsTextureSize);
  float exit = animatePositions > 0.0
    ? mix(exitStatus.r, exitStatus.g, transitionProgress)
    : exitStatus.g;
  if (exit >= 1.0) {
    // Fully gone \u2014 skip. Also avoids using a NaN position on the snapped path.
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 0.0;
    return;
  }

  // Position
  vec4 pointPosition = texture(positionsTexture, (pointIndices + 0.5) / pointsTextureSize);
  vec2 point = pointPosition.rg;

  // Transform point position to normalized device coordinates
  // Convert from space coordinates [0, spaceSize] to normalized [-1, 1]
  vec2 normalizedPosition = 2.0 * point / spaceSize - 1.0;

  // Apply aspect ratio correction - this is needed to map the square space to the rectangular screen
  // The transformation matrix handles zoom/pan, but we need this to handle aspect ratio
  normalizedPosition *= spaceSize / screenSize;

  #ifdef USE_UNIFORM_BUFFERS
  mat3 transformMat3 = mat3(transformationMatrix);
  vec3 finalPosition = transformMat3 * vec3(normalizedPosition, 1);
  #else
  vec3 finalPosition = transformationMatrix * vec3(normalizedPosition, 1);
  #endif
  gl_Position = vec4(finalPosition.rg, 0, 1);

  // Resolve NaN channels against the animated exit ramp before mixing \u2014 default
  // sizes/colors of an entering or leaving point fade with the ramp regardless of
  // whether a size/color transition is active.
  float pointSize = animateSizes > 0.0
    ? mix(resolveSize(sourceSize, exit), resolveSize(targetSize, exit), transitionProgress)
    : resolveSize(targetSize, exit);
  vec4 pointColor = animateColors > 0.0
    ? mix(resolveColor(sourceColor, exit), resolveColor(targetColor, exit), transitionProgress)
    : resolveColor(targetColor, exit);


  // Calculate sizes for shape and image
  float shapeSizeValue = calculatePointSize(pointSize * sizeScale);
  float imageSizeValue = calculatePointSize(imageSize * sizeScale);

  // Use the larger of the two sizes for the overall point size
  float overallSizeValue = max(shapeSizeValue, imageSizeValue);

  // Scale up point sprite to fit outline ring; clamp to hardware gl_PointSize limit so the
  // sprite never gets silently clipped \u2014 the point body is unaffected, only the ring narrows.
  if (isOutlined > 0.0) {
    overallSizeValue *= outlineRingScale;
    overallSizeValue = min(overallSizeValue, maxPointSize * ratio);
  }

  gl_PointSize = overallSizeValue;

  // Pass size information to fragment shader
  shapeSize = shapeSizeValue;
  imageSizeVarying = imageSizeValue;
  overallSize = overallSizeValue;

  shapeColor = pointColor;
  pointShape = shape;

  // Adjust color of greyed-out points
  if (isGreyedOut > 0.0) {
    if (greyoutColor[0] != -1.0) {
      shapeColor = greyoutColor;
    } else {
      // If greyoutColor is not set, make color lighter or darker based on isDarkenGreyout
      float blendFactor = 0.65;

      #ifdef USE_UNIFORM_BUFFERS
      if (isDarkenGreyout > 0.0) {
        shapeColor.rgb = mix(shapeColor.rgb, vec3(0.2), blendFactor);
      } else {
        shapeColor.rgb = mix(shapeColor.rgb, max(backgroundColor.rgb, vec3(0.8)), blendFactor);
      }
      #else
      if (isDarkenGreyout > 0.0) {
        shapeColor.rgb = mix(shapeColor.rgb, vec3(0.2), blendFactor);
      } else {
        shapeColor.rgb = mix(shapeColor.rgb, max(backgroundColor.rgb, vec3(0.8)), blendFactor);
      }
      #endif
    }
  }

  #ifdef USE_UNIFORM_BUFFERS
  if (hasImages <= 0.0 || imageIndex < 0.0 || imageIndex >= imageCount) {
    imageAtlasUV = vec4(-1.0);
  } else {
    float atlasCoordIndex = imageIndex;
    float texX = mod(atlasCoordIndex, imageAtlasCoordsTextureSize);
    float texY = floor(atlasCoordIndex / imageAtlasCoordsTextureSize);
    vec2 atlasCoordTexCoord = (vec2(texX, texY) + 0.5) / imageAtlasCoordsTextureSize;
    vec4 atlasCoords = texture(imageAtlasCoords, atlasCoordTexCoord);
    imageAtlasUV = atlasCoords;
  }
  #else
  if (hasImages <= 0.0 || imageIndex < 0.0 || imageIndex >= imageCount) {
    imageAtlasUV = vec4(-1.0);
  } else {
    float atlasCoordIndex = imageIndex;
    float texX = mod(atlasCoordIndex, imageAtlasCoordsTextureSize);
    float texY = floor(atlasCoordIndex / imageAtlasCoordsTextureSize);
    vec2 atlasCoordTexCoord = (vec2(texX, texY) + 0.5) / imageAtlasCoordsTextureSize;
    vec4 atlasCoords = texture(imageAtlasCoords, atlasCoordTexCoord);
    imageAtlasUV = atlasCoords;
  }
  #endif
}
`,P3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

uniform sampler2D positionsTexture;
uniform sampler2D pointSize;
uniform sampler2D exitTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform findPointsInRectUniforms {
  float sizeScale;
  float spaceSize;
  vec2 screenSize;
  float ratio;
  mat4 transformationMatrix;
  vec2 rect0;
  vec2 rect1;
  float scalePointsOnZoom;
  float maxPointSize;
} findPointsInRect;

#define sizeScale findPointsInRect.sizeScale
#define spaceSize findPointsInRect.spaceSize
#define screenSize findPointsInRect.screenSize
#define ratio findPointsInRect.ratio
#define transformationMatrix findPointsInRect.transformationMatrix
#define rect0 findPointsInRect.rect0
#define rect1 findPointsInRect.rect1
#define scalePointsOnZoom findPointsInRect.scalePointsOnZoom
#define maxPointSize findPointsInRect.maxPointSize
#else
uniform float sizeScale;
uniform float spaceSize;
uniform vec2 screenSize;
uniform float ratio;
uniform mat3 transformationMatrix;
uniform vec2 rect0;
uniform vec2 rect1;
uniform float scalePointsOnZoom;
uniform float maxPointSize;
#endif

in vec2 textureCoords;

out vec4 fragColor;

float pointSizeF(float size) {
  float pSize;
  // Extract top-left element from mat4 (or use mat3 conversion)
  #ifdef USE_UNIFORM_BUFFERS
  float scale = transformationMatrix[0][0]; // mat4 first element
  #else
  float scale = transformationMatrix[0][0]; // mat3 first element
  #endif
  if (scalePointsOnZoom > 0.0) { 
    pSize = size * ratio * scale;
  } else {
    pSize = size * ratio * min(5.0, max(1.0, scale * 0.01));
  }
  return min(pSize, maxPointSize * ratio);
}

void main() {
  // Skip absent (faded-out) points \u2014 never select a removed point. exit.G = absent.
  if (texture(exitTexture, textureCoords).g > 0.5) {
    fragColor = vec4(0.0);
    return;
  }

  vec4 pointPosition = texture(positionsTexture, textureCoords);
  vec2 p = 2.0 * pointPosition.rg / spaceSize - 1.0;
  p *= spaceSize / screenSize;
  #ifdef USE_UNIFORM_BUFFERS
  // Convert mat4 to mat3 for vec3 multiplication
  mat3 transformMat3 = mat3(transformationMatrix);
  vec3 final = transformMat3 * vec3(p, 1);
  #else
  vec3 final = transformationMatrix * vec3(p, 1);
  #endif

  vec4 pSize = texture(pointSize, textureCoords);
  float size = pSize.r * sizeScale;

  float left = 2.0 * (rect0.x - 0.5 * pointSizeF(size)) / screenSize.x - 1.0;
  float right = 2.0 * (rect1.x + 0.5 * pointSizeF(size)) / screenSize.x - 1.0;
  float top =  2.0 * (rect0.y - 0.5 * pointSizeF(size)) / screenSize.y - 1.0;
  float bottom =  2.0 * (rect1.y + 0.5 * pointSizeF(size)) / screenSize.y - 1.0;

  fragColor = vec4(0.0, 0.0, pointPosition.r, pointPosition.g);
  if (final.x >= left && final.x <= right && final.y >= top && final.y <= bottom) {
    fragColor.r = 1.0;
  }
}

`,C3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

uniform sampler2D positionsTexture;
uniform sampler2D polygonPathTexture; // Texture containing polygon path points
uniform sampler2D exitTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform findPointsInPolygonUniforms {
  float spaceSize;
  vec2 screenSize;
  mat4 transformationMatrix;
  float polygonPathLength;
} findPointsInPolygon;

#define spaceSize findPointsInPolygon.spaceSize
#define screenSize findPointsInPolygon.screenSize
#define transformationMatrix findPointsInPolygon.transformationMatrix
#define polygonPathLength int(findPointsInPolygon.polygonPathLength)
#else
uniform int polygonPathLength;
uniform float spaceSize;
uniform vec2 screenSize;
uniform mat3 transformationMatrix;
#endif

in vec2 textureCoords;

out vec4 fragColor;

// Get a point from the polygon path texture at a specific index
vec2 getPolygonPoint(sampler2D pathTexture, int index, int pathLength) {
  if (index >= pathLength) return vec2(0.0);
  
  // Calculate texture coordinates for the index
  int textureSize = int(ceil(sqrt(float(pathLength))));
  int x = index - (index / textureSize) * textureSize;
  int y = index / textureSize;
  
  vec2 texCoord = (vec2(float(x), float(y)) + 0.5) / float(textureSize);
  vec4 pathData = texture(pathTexture, texCoord);
  
  return pathData.xy;
}

// Point-in-polygon algorithm using ray casting
bool pointInPolygon(vec2 point, sampler2D pathTexture, int pathLength) {
  bool inside = false;
  
  for (int i = 0; i < 2048; i++) {
    if (i >= pathLength) break;
    
    int j = int(mod(float(i + 1), float(pathLength)));
    
    vec2 pi = getPolygonPoint(pathTexture, i, pathLength);
    vec2 pj = getPolygonPoint(pathTexture, j, pathLength);
    
    if (((pi.y > point.y) != (pj.y > point.y)) &&
        (point.x < (pj.x - pi.x) * (point.y - pi.y) / (pj.y - pi.y) + pi.x)) {
      inside = !inside;
    }
  }
  
  return inside;
}

void main() {
  // Skip absent (faded-out) points \u2014 never select a removed point. exit.G = absent.
  if (texture(exitTexture, textureCoords).g > 0.5) {
    fragColor = vec4(0.0);
    return;
  }

  vec4 pointPosition = texture(positionsTexture, textureCoords);
  vec2 p = 2.0 * pointPosition.rg / spaceSize - 1.0;
  p *= spaceSize / screenSize;
  #ifdef USE_UNIFORM_BUFFERS
  // Convert mat4 to mat3 for vec3 multiplication
  mat3 transformMat3 = mat3(transformationMatrix);
  vec3 final = transformMat3 * vec3(p, 1);
  #else
  vec3 final = transformationMatrix * vec3(p, 1);
  #endif

  // Convert to screen coordinates for polygon check
  vec2 screenPos = (final.xy + 1.0) * screenSize / 2.0;
  
  fragColor = vec4(0.0, 0.0, pointPosition.r, pointPosition.g);
  
  // Check if point center is inside the polygon
  if (pointInPolygon(screenPos, polygonPathTexture, polygonPathLength)) {
    fragColor.r = 1.0;
  }
} `,A3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform drawHighlightedUniforms {
  float size;
  mat4 transformationMatrix;
  float pointsTextureSize;
  float sizeScale;
  float spaceSize;
  vec2 screenSize;
  float scalePointsOnZoom;
  float pointIndex;
  float maxPointSize;
  vec4 color;
  float universalPointOpacity;
  float greyoutOpacity;
  float isDarkenGreyout;
  vec4 backgroundColor;
  vec4 greyoutColor;
  float width;
} drawHighlighted;

#define width drawHighlighted.width
#else
uniform float width;
#endif

in vec2 vertexPosition;
in float pointOpacity;
in vec3 rgbColor;

out vec4 fragColor;

const float smoothing = 1.05;

void main () {
  float r = dot(vertexPosition, vertexPosition);
  float opacity = smoothstep(r, r * smoothing, 1.0);
  float stroke = smoothstep(width, width * smoothing, r);
  fragColor = vec4(rgbColor, opacity * stroke * pointOpacity);
}`,w3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

in vec2 vertexCoord;

uniform sampler2D positionsTexture;
uniform sampler2D pointStatus;
uniform sampler2D exitTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform drawHighlightedUniforms {
  float size;
  mat4 transformationMatrix;
  float pointsTextureSize;
  float sizeScale;
  float spaceSize;
  vec2 screenSize;
  float scalePointsOnZoom;
  float pointIndex;
  float maxPointSize;
  vec4 color;
  float universalPointOpacity;
  float greyoutOpacity;
  float isDarkenGreyout;
  vec4 backgroundColor;
  vec4 greyoutColor;
  float width;
} drawHighlighted;

#define size drawHighlighted.size
#define transformationMatrix drawHighlighted.transformationMatrix
#define pointsTextureSize drawHighlighted.pointsTextureSize
#define sizeScale drawHighlighted.sizeScale
#define spaceSize drawHighlighted.spaceSize
#define screenSize drawHighlighted.screenSize
#define scalePointsOnZoom drawHighlighted.scalePointsOnZoom
#define pointIndex drawHighlighted.pointIndex
#define maxPointSize drawHighlighted.maxPointSize
#define color drawHighlighted.color
#define universalPointOpacity drawHighlighted.universalPointOpacity
#define greyoutOpacity drawHighlighted.greyoutOpacity
#define isDarkenGreyout drawHighlighted.isDarkenGreyout
#define backgroundColor drawHighlighted.backgroundColor
#define greyoutColor drawHighlighted.greyoutColor
#else
uniform float size;
uniform mat3 transformationMatrix;
uniform float pointsTextureSize;
uniform float sizeScale;
uniform float spaceSize;
uniform vec2 screenSize;
uniform float scalePointsOnZoom;
uniform float pointIndex;
uniform float maxPointSize;
uniform vec4 color;
uniform float universalPointOpacity;
uniform float greyoutOpacity;
uniform float isDarkenGreyout;
uniform vec4 backgroundColor;
uniform vec4 greyoutColor;
uniform float width;
#endif
out vec2 vertexPosition;
out float pointOpacity;
out vec3 rgbColor;

float calculatePointSize(float pointSize) {
  float pSize;

  if (scalePointsOnZoom > 0.0) { 
    pSize = pointSize * transformationMatrix[0][0];
  } else {
    pSize = pointSize * min(5.0, max(1.0, transformationMatrix[0][0] * 0.01));
  }

  return min(pSize, maxPointSize);
}

const float relativeRingRadius = 1.3;

void main () {
  vertexPosition = vertexCoord;

  vec2 textureCoordinates = vec2(mod(pointIndex, pointsTextureSize), floor(pointIndex / pointsTextureSize)) + 0.5;

  // Don't draw a highlight/outline for an absent (faded-out) point. exit.G = absent.
  if (texture(exitTexture, textureCoordinates / pointsTextureSize).g > 0.5) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }

  vec4 pointPosition = texture(positionsTexture, textureCoordinates / pointsTextureSize);

  rgbColor = color.rgb;
  pointOpacity = color.a * universalPointOpacity;
  vec4 greyoutStatus = texture(pointStatus, textureCoordinates / pointsTextureSize);
  if (greyoutStatus.r > 0.0) {
    if (greyoutColor[0] != -1.0) {
      rgbColor = greyoutColor.rgb;
      pointOpacity = greyoutColor.a;
    } else {
      // If greyoutColor is not set, make color lighter or darker based on isDarkenGreyout
      float blendFactor = 0.65; // Controls how much to modify (0.0 = original, 1.0 = target color)
      
      #ifdef USE_UNIFORM_BUFFERS
      if (isDarkenGreyout > 0.0) {
        // Darken the color
        rgbColor = mix(rgbColor, vec3(0.2), blendFactor);
      } else {
        // Lighten the color
        rgbColor = mix(rgbColor, max(backgroundColor.rgb, vec3(0.8)), blendFactor);
      }
      #else
      if (isDarkenGreyout > 0.0) {
        // Darken the color
        rgbColor = mix(rgbColor, vec3(0.2), blendFactor);
      } else {
        // Lighten the color
        rgbColor = mix(rgbColor, max(backgroundColor.rgb, vec3(0.8)), blendFactor);
      }
      #endif
    }

    if (greyoutOpacity != -1.0) {
      pointOpacity *= greyoutOpacity;
    }
  }

  // Calculate point radius
  float pointSize = (calculatePointSize(size * sizeScale) * relativeRingRadius) / transformationMatrix[0][0];
  float radius = pointSize * 0.5;

  // Calculate point position in screen space
  vec2 a = pointPosition.xy;
  vec2 b = pointPosition.xy + vec2(0.0, radius);
  vec2 xBasis = b - a;
  vec2 yBasis = normalize(vec2(-xBasis.y, xBasis.x));
  vec2 pointPositionInScreenSpace = a + xBasis * vertexCoord.x + yBasis * radius * vertexCoord.y;

  // Transform point position to normalized device coordinates
  vec2 p = 2.0 * pointPositionInScreenSpace / spaceSize - 1.0;
  p *= spaceSize / screenSize;
  #ifdef USE_UNIFORM_BUFFERS
  mat3 transformMat3 = mat3(transformationMatrix);
  vec3 final = transformMat3 * vec3(p, 1);
  #else
  vec3 final = transformationMatrix * vec3(p, 1);
  #endif
  
  gl_Position = vec4(final.rg, 0, 1);
}`,R3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

in vec4 rgba;

out vec4 fragColor;

void main() {
  if (rgba.g <= 0.0) {
    discard;
  }
  fragColor = rgba;
}`,E3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

in vec2 pointIndices;
in float size;
in float imageSize;

uniform sampler2D positionsTexture;
uniform sampler2D pointStatus;
uniform sampler2D exitTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform findHoveredPointUniforms {
  float pointsTextureSize;
  float sizeScale;
  float spaceSize;
  vec2 screenSize;
  float ratio;
  mat4 transformationMatrix;
  vec2 mousePosition;
  float scalePointsOnZoom;
  float maxPointSize;
  float skipHighlighted;
  float skipGreyed;
  float pointDefaultSize;
} findHoveredPoint;

#define pointsTextureSize findHoveredPoint.pointsTextureSize
#define sizeScale findHoveredPoint.sizeScale
#define spaceSize findHoveredPoint.spaceSize
#define screenSize findHoveredPoint.screenSize
#define ratio findHoveredPoint.ratio
#define transformationMatrix findHoveredPoint.transformationMatrix
#define mousePosition findHoveredPoint.mousePosition
#define scalePointsOnZoom findHoveredPoint.scalePointsOnZoom
#define maxPointSize findHoveredPoint.maxPointSize
#define skipHighlighted findHoveredPoint.skipHighlighted
#define skipGreyed findHoveredPoint.skipGreyed
#define pointDefaultSize findHoveredPoint.pointDefaultSize
#else
uniform float pointsTextureSize;
uniform float sizeScale;
uniform float spaceSize;
uniform vec2 screenSize;
uniform float ratio;
uniform mat3 transformationMatrix;
uniform vec2 mousePosition;
uniform float scalePointsOnZoom;
uniform float maxPointSize;
uniform float skipHighlighted;
uniform float skipGreyed;
uniform float pointDefaultSize;
#endif

out vec4 rgba;

float calculatePointSize(float size) {
  float pSize;

  if (scalePointsOnZoom > 0.0) { 
    pSize = size * ratio * transformationMatrix[0][0];
  } else {
    pSize = size * ratio * min(5.0, max(1.0, transformationMatrix[0][0] * 0.01));
  }

  return min(pSize, maxPointSize * ratio);
}

float euclideanDistance (float x1, float x2, float y1, float y2) {
  return sqrt((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1));
}

void main() {
  // Skip absent (faded-out) points so hover never lands on a removed one. Their
  // size/position may still look hittable mid-fade (only alpha faded), so the exit
  // status is the reliable signal. exit.G = current absence.
  vec4 exitStatus = texture(exitTexture, (pointIndices + 0.5) / pointsTextureSize);
  if (exitStatus.g > 0.5) {
    rgba = vec4(0.0);
    gl_Position = vec4(0.5, 0.5, 0.0, 1.0);
    gl_PointSize = 1.0;
    return;
  }

  vec4 greyoutStatus = texture(pointStatus, (pointIndices + 0.5) / pointsTextureSize);
  float isHighlighted = (greyoutStatus.r == 0.0) ? 1.0 : 0.0;

  if (skipHighlighted > 0.0 && isHighlighted > 0.0) {
    rgba = vec4(0.0);
    gl_Position = vec4(0.5, 0.5, 0.0, 1.0);
    gl_PointSize = 1.0;
    return;
  }
  if (skipGreyed > 0.0 && isHighlighted <= 0.0) {
    rgba = vec4(0.0);
    gl_Position = vec4(0.5, 0.5, 0.0, 1.0);
    gl_PointSize = 1.0;
    return;
  }

  vec4 pointPosition = texture(positionsTexture, (pointIndices + 0.5) / pointsTextureSize);
  vec2 point = pointPosition.rg;

  vec2 normalizedPosition = 2.0 * point / spaceSize - 1.0;
  normalizedPosition *= spaceSize / screenSize;
  
  #ifdef USE_UNIFORM_BUFFERS
  mat3 transformMat3 = mat3(transformationMatrix);
  vec3 finalPosition = transformMat3 * vec3(normalizedPosition, 1);
  #else
  vec3 finalPosition = transformationMatrix * vec3(normalizedPosition, 1);
  #endif

  // Resolve a NaN size at read time. The absent-point guard above already returned,
  // so a NaN here means "use the config default".
  float resolvedSize = isnan(size) ? pointDefaultSize : size;

  float shapeSizeValue = calculatePointSize(resolvedSize * sizeScale);
  float imageSizeValue = calculatePointSize(imageSize * sizeScale);
  float pointRadius = 0.5 * max(shapeSizeValue, imageSizeValue);
  vec2 pointScreenPosition = (finalPosition.xy + 1.0) * screenSize / 2.0;

  rgba = vec4(0.0);
  gl_Position = vec4(0.5, 0.5, 0.0, 1.0);

  if (euclideanDistance(pointScreenPosition.x, mousePosition.x, pointScreenPosition.y, mousePosition.y) < pointRadius / ratio) {
    float index = pointIndices.g * pointsTextureSize + pointIndices.r;
    rgba = vec4(index, max(resolvedSize, imageSize), pointPosition.xy);
    gl_Position = vec4(-0.5, -0.5, 0.0, 1.0);
  }

  gl_PointSize = 1.0;
}`,I3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

in vec4 rgba;

out vec4 fragColor;

void main() {
  fragColor = rgba;
}`,M3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

in vec2 pointIndices;

uniform sampler2D positionsTexture;
uniform sampler2D exitTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform fillSampledPointsUniforms {
  float pointsTextureSize;
  mat4 transformationMatrix;
  float spaceSize;
  vec2 screenSize;
} fillSampledPoints;

#define pointsTextureSize fillSampledPoints.pointsTextureSize
#define transformationMatrix fillSampledPoints.transformationMatrix
#define spaceSize fillSampledPoints.spaceSize
#define screenSize fillSampledPoints.screenSize
#else
uniform float pointsTextureSize;
uniform float spaceSize;
uniform vec2 screenSize;
uniform mat3 transformationMatrix;
#endif

out vec4 rgba;

void main() {
  // Keep absent (faded-out) points out of the sample. exit.G = current absence.
  if (texture(exitTexture, (pointIndices + 0.5) / pointsTextureSize).g > 0.5) {
    rgba = vec4(0.0);
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 0.0;
    return;
  }

  vec4 pointPosition = texture(positionsTexture, (pointIndices + 0.5) / pointsTextureSize);
  vec2 p = 2.0 * pointPosition.rg / spaceSize - 1.0;
  p *= spaceSize / screenSize;
  #ifdef USE_UNIFORM_BUFFERS
  // Convert mat4 to mat3 for vec3 multiplication
  mat3 transformMat3 = mat3(transformationMatrix);
  vec3 final = transformMat3 * vec3(p, 1);
  #else
  vec3 final = transformationMatrix * vec3(p, 1);
  #endif

  vec2 pointScreenPosition = (final.xy + 1.0) * screenSize / 2.0;
  float index = pointIndices.g * pointsTextureSize + pointIndices.r;
  rgba = vec4(index, 1.0, pointPosition.xy);
  float i = (pointScreenPosition.x + 0.5) / screenSize.x;
  float j = (pointScreenPosition.y + 0.5) / screenSize.y;
  gl_Position = vec4(2.0 * vec2(i, j) - 1.0, 0.0, 1.0);

  gl_PointSize = 1.0;
}`,D3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

uniform sampler2D positionsTexture;
uniform sampler2D velocity;
uniform sampler2D pinnedStatusTexture;
uniform sampler2D exitTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform updatePositionUniforms {
  float friction;
  float spaceSize;
} updatePosition;

#define friction updatePosition.friction
#define spaceSize updatePosition.spaceSize
#else
uniform float friction;
uniform float spaceSize;
#endif

in vec2 textureCoords;

out vec4 fragColor;

void main() {
  vec4 pointPosition = texture(positionsTexture, textureCoords);
  vec4 pointVelocity = texture(velocity, textureCoords);

  // Check if point is pinned
  // pinnedStatusTexture has the same size and layout as positionsTexture
  // Each pixel corresponds to a point: red channel > 0.5 means the point is pinned
  vec4 pinnedStatus = texture(pinnedStatusTexture, textureCoords);
  
  // If pinned, don't update position
  if (pinnedStatus.r > 0.5) {
    fragColor = pointPosition;
    return;
  }

  // If absent (current absence = exit.G), leave it untouched \u2014 don't integrate or
  // clamp it (clamping NaN is undefined and could resurrect the point at (0,0)).
  vec4 exitStatus = texture(exitTexture, textureCoords);
  if (exitStatus.g > 0.5) {
    fragColor = pointPosition;
    return;
  }

  // Friction
  pointVelocity.rg *= friction;

  pointPosition.rg += pointVelocity.rg;

  pointPosition.r = clamp(pointPosition.r, 0.0, spaceSize);
  pointPosition.g = clamp(pointPosition.g, 0.0, spaceSize);
  
  fragColor = pointPosition;
}`,k3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

uniform sampler2D sourceTexture;
uniform sampler2D targetTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform interpolatePositionUniforms {
  float progress;
} interpolatePosition;

#define progress interpolatePosition.progress
#else
uniform float progress;
#endif

in vec2 textureCoords;

out vec4 fragColor;

void main() {
  vec4 source = texture(sourceTexture, textureCoords);
  vec4 target = texture(targetTexture, textureCoords);
  // NaN means absent (ingest normalizes half-NaN to full-NaN, so checking one
  // channel suffices). Hold the real side so the point stays put while it fades,
  // never interpolating to/from NaN:
  //   \xB7 exiting  (target NaN): freeze at source.
  //   \xB7 entering (source NaN): appear at target (no slide in from NaN).
  vec2 src = isnan(source.r) ? target.rg : source.rg;
  vec2 tgt = isnan(target.r) ? src : target.rg;
  vec2 position = mix(src, tgt, progress);
  fragColor = vec4(position, source.b, 1.0);
}
`,F3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

uniform sampler2D positionsTexture;
uniform sampler2D trackedIndices;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform trackPointsUniforms {
  float pointsTextureSize;
} trackPoints;

#define pointsTextureSize trackPoints.pointsTextureSize
#else
uniform float pointsTextureSize;
#endif

in vec2 textureCoords;

out vec4 fragColor;

void main() {
  vec4 trackedPointIndices = texture(trackedIndices, textureCoords);
  if (trackedPointIndices.r < 0.0) discard;
  vec4 pointPosition = texture(positionsTexture, (trackedPointIndices.rg + 0.5) / pointsTextureSize);

  fragColor = vec4(pointPosition.rg, 1.0, 1.0);
}

`,N3=`#version 300 es
#ifdef GL_ES
precision highp float;
#endif

uniform sampler2D positionsTexture;

#ifdef USE_UNIFORM_BUFFERS
layout(std140) uniform dragPointUniforms {
  vec2 mousePos;
  float index;
} dragPoint;

#define mousePos dragPoint.mousePos
#define index dragPoint.index
#else
uniform vec2 mousePos;
uniform float index;
#endif

in vec2 textureCoords;

out vec4 fragColor;

void main() {
  vec4 pointPosition = texture(positionsTexture, textureCoords);

  // Check if a point is being dragged
  if (index >= 0.0 && index == pointPosition.b) {
    pointPosition.rg = mousePos.rg;
  }

  fragColor = pointPosition;
}`;function B3(e,t=16384){if(!(e!=null&&e.length))return null;let i=0;for(let c of e){let u=Math.max(c.width,c.height);u>i&&(i=u)}if(i===0)return console.warn("Invalid image dimensions: all images have zero width or height"),null;let r=i,n=Math.ceil(Math.sqrt(e.length)),o=n*i,s=1;o>t&&(s=t/o,i=Math.max(1,Math.floor(i*s)),o=Math.max(1,Math.floor(o*s)),console.warn(`\u{1F5BC}\uFE0F  Atlas scaling required: Original size ${(r*n).toLocaleString()}px exceeds WebGL limit ${t.toLocaleString()}px. Scaling down to ${o.toLocaleString()}px (${Math.round(s*100)}% of original quality)`));let a=new Uint8Array(o*o*4).fill(0),l=new Float32Array(n*n*4).fill(-1);for(let[c,u]of e.entries()){let f=u.width,d=u.height;if(f===0||d===0)continue;let h=Math.min(1,i/Math.max(f,d)),m=Math.floor(f*h),g=Math.floor(d*h),b=Math.floor(c/n),x=c%n*i,v=b*i;l[c*4]=x/o,l[c*4+1]=v/o,l[c*4+2]=(x+m)/o,l[c*4+3]=(v+g)/o;for(let T=0;T<g;T++)for(let _=0;_<m;_++){let w=Math.floor(_*(f/m)),A=(Math.floor(T*(d/g))*f+w)*4,I=((v+T)*o+(x+_))*4;a[I]=u.data[A]??0,a[I+1]=u.data[A+1]??0,a[I+2]=u.data[A+2]??0,a[I+3]=u.data[A+3]??255}}return{atlasData:a,atlasSize:o,atlasCoords:l,atlasCoordsSize:n}}function O3(e,t,i){let r=new Float32Array(t*t*4);if(!e)return r;for(let n=0;n<i;++n){let o=gt(e,n);r[n*4+0]=o?NaN:e[n*2+0],r[n*4+1]=o?NaN:e[n*2+1],r[n*4+2]=n}return r}function U3(e,t,i,r,n){let o=new Float32Array(n*n*4);for(let s=0;s<i;s+=1)o[s*4+0]=e[s*4+0],o[s*4+1]=e[s*4+1],o[s*4+2]=s;for(let s=i;s<r;s+=1)o[s*4+0]=t[s*4+0],o[s*4+1]=t[s*4+1],o[s*4+2]=s;return o}var Ef=class extends _t{constructor(){super(...arguments),this.imageCount=0,this.areClusterCentroidsUpToDate=!1,this.hasAnyAbsentPoint=!1,this.isPositionsUpToDate=!1,this.polygonPathLength=0,this.transitionProgress=1,this.shouldAnimatePointColors=!1,this.shouldAnimatePointSizes=!1,this.shouldAnimatePointPositions=!1}updatePositions(){var t,i;let{device:r,store:n,data:o,config:{rescalePositions:s,enableSimulation:a}}=this,{pointsTextureSize:l}=n;if(!l||!o.pointPositions||o.pointsNumber===void 0)return!1;let c=s;s===void 0&&!a&&(c=!0),this.shouldSkipRescale&&(c=!1),c?this.rescaleInitialNodePositions():this.shouldSkipRescale||(this.scaleX=void 0,this.scaleY=void 0),this.shouldSkipRescale=void 0;let u=o.sourcePointsNumber,f=o.targetPointsNumber,d=u===f,h=((t=this.transition)==null?void 0:t.isPendingFor(Pe.Positions))===!0&&(((i=this.transition)==null?void 0:i.duration)??this.config.transitionDuration)>0&&!!this.currentPositionTexture,m=O3(o.pointPositions,l,f),g;if(h&&(this.createTransitionResources(),this.sourcePositionTexture&&this.targetPositionTexture)){if(d){let v=this.currentPositionTexture;if(v&&!v.destroyed){let T=this.device.createCommandEncoder();T.copyTextureToTexture({sourceTexture:v,destinationTexture:this.sourcePositionTexture,width:l,height:l}),this.device.submit(T.finish())}}else if(this.currentPositionFbo){let v=We(r,this.currentPositionFbo);g=U3(v,m,Math.min(u,f),f,l),this.writePositionTexture(this.sourcePositionTexture,g,l)}else this.writePositionTexture(this.sourcePositionTexture,m,l);this.writePositionTexture(this.targetPositionTexture,m,l)}this.ensurePositionTextures(l),h?g&&(this.writePositionTexture(this.currentPositionTexture,g,l),this.writePositionTexture(this.previousPositionTexture,g,l)):(this.writePositionTexture(this.currentPositionTexture,m,l),this.writePositionTexture(this.previousPositionTexture,m,l)),this.areClusterCentroidsUpToDate=!1,this.isPositionsUpToDate=!1,this.config.enableSimulation&&this.ensureSimulationResources(),!this.searchTexture||this.searchTexture.width!==l||this.searchTexture.height!==l?(this.searchTexture&&!this.searchTexture.destroyed&&this.searchTexture.destroy(),this.searchFbo&&!this.searchFbo.destroyed&&this.searchFbo.destroy(),this.searchTexture=r.createTexture({width:l,height:l,format:"rgba32float"}),this.searchTexture.copyImageData({data:m,bytesPerRow:q("rgba32float",l),mipLevel:0,x:0,y:0}),this.searchFbo=r.createFramebuffer({width:l,height:l,colorAttachments:[this.searchTexture]})):this.searchTexture.copyImageData({data:m,bytesPerRow:q("rgba32float",l),mipLevel:0,x:0,y:0}),this.hoveredFbo||(this.hoveredFbo=r.createFramebuffer({width:2,height:2,colorAttachments:["rgba32float"]}));let b=Wn(n.pointsTextureSize),x=b.byteLength;return!this.drawPointIndices||this.drawPointIndices.byteLength!==x?(this.drawPointIndices&&!this.drawPointIndices.destroyed&&this.drawPointIndices.destroy(),this.drawPointIndices=r.createBuffer({data:b,usage:L.VERTEX|L.COPY_DST})):this.drawPointIndices.write(b),this.drawCommand&&this.drawCommand.setAttributes({pointIndices:this.drawPointIndices}),!this.hoveredPointIndices||this.hoveredPointIndices.byteLength!==x?(this.hoveredPointIndices&&!this.hoveredPointIndices.destroyed&&this.hoveredPointIndices.destroy(),this.hoveredPointIndices=r.createBuffer({data:b,usage:L.VERTEX|L.COPY_DST})):this.hoveredPointIndices.write(b),!this.sampledPointIndices||this.sampledPointIndices.byteLength!==x?(this.sampledPointIndices&&!this.sampledPointIndices.destroyed&&this.sampledPointIndices.destroy(),this.sampledPointIndices=r.createBuffer({data:b,usage:L.VERTEX|L.COPY_DST})):this.sampledPointIndices.write(b),this.fillSampledPointsFboCommand&&this.fillSampledPointsFboCommand.setAttributes({pointIndices:this.sampledPointIndices}),this.updatePointStatus(),this.updatePinnedStatus(),this.updateExit(),this.updateSampledPointsGrid(),h||this.trackPoints(),h}initPrograms(){var t,i,r;let{device:n,config:o,store:s,data:a}=this;(!this.imageAtlasCoordsTexture||!this.imageAtlasTexture)&&this.createAtlas(),this.targetColorBuffer||this.updateColor(),this.targetSizeBuffer||this.updateSize(),this.shapeBuffer||this.updateShape(),this.imageIndicesBuffer||this.updateImageIndices(),this.imageSizesBuffer||this.updateImageSizes(),this.pointStatusTexture||this.updatePointStatus(),o.enableSimulation&&this.ensureUpdatePositionProgram(),this.dragPointVertexCoordBuffer||(this.dragPointVertexCoordBuffer=n.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1])})),this.dragPointUniformStore||(this.dragPointUniformStore=new oe(n,{dragPointUniforms:{uniformTypes:{mousePos:"vec2<f32>",index:"f32"},defaultUniforms:{mousePos:ee(s.mousePosition,[0,0]),index:((t=s.hoveredPoint)==null?void 0:t.index)??-1}}})),this.dragPointCommand||(this.dragPointCommand=new le(n,{fs:N3,vs:He,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.dragPointVertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{dragPointUniforms:this.dragPointUniformStore.getManagedUniformBuffer("dragPointUniforms")}})),this.drawUniformStore||(this.drawUniformStore=new oe(n,{drawVertexUniforms:{uniformTypes:{ratio:"f32",transformationMatrix:"mat4x4<f32>",pointsTextureSize:"f32",sizeScale:"f32",spaceSize:"f32",screenSize:"vec2<f32>",greyoutColor:"vec4<f32>",backgroundColor:"vec4<f32>",scalePointsOnZoom:"f32",maxPointSize:"f32",isDarkenGreyout:"f32",skipHighlighted:"f32",skipGreyed:"f32",hasImages:"f32",imageCount:"f32",imageAtlasCoordsTextureSize:"f32",transitionProgress:"f32",animateColors:"f32",animateSizes:"f32",animatePositions:"f32",pointDefaultColor:"vec4<f32>",pointDefaultSize:"f32"},defaultUniforms:{ratio:o.pixelRatio,transformationMatrix:(()=>{let l=s.transform??[1,0,0,0,1,0,0,0,1];return[l[0],l[1],l[2],0,l[3],l[4],l[5],0,l[6],l[7],l[8],0,0,0,0,1]})(),pointsTextureSize:s.pointsTextureSize??0,sizeScale:o.pointSizeScale,spaceSize:s.adjustedSpaceSize,screenSize:ee(s.screenSize,[0,0]),greyoutColor:ue(s.greyoutPointColor,[0,0,0,1]),backgroundColor:ue(s.backgroundColor,[0,0,0,1]),scalePointsOnZoom:o.scalePointsOnZoom?1:0,maxPointSize:s.maxPointSize,isDarkenGreyout:s.isDarkenGreyout??!1?1:0,skipHighlighted:0,skipGreyed:0,hasImages:this.imageCount>0?1:0,imageCount:this.imageCount,imageAtlasCoordsTextureSize:this.imageAtlasCoordsTextureSize??0,transitionProgress:1,animateColors:0,animateSizes:0,animatePositions:0,pointDefaultColor:ue(xt(o.pointDefaultColor),[0,0,0,1]),pointDefaultSize:o.pointDefaultSize}},drawFragmentUniforms:{uniformTypes:{greyoutOpacity:"f32",pointOpacity:"f32",isDarkenGreyout:"f32",backgroundColor:"vec4<f32>",outlineColor:"vec4<f32>",outlineWidth:"f32"},defaultUniforms:{greyoutOpacity:o.pointGreyoutOpacity??-1,pointOpacity:o.pointOpacity,isDarkenGreyout:s.isDarkenGreyout??!1?1:0,backgroundColor:ue(s.backgroundColor,[0,0,0,1]),outlineColor:ue(s.outlinedPointRingColor,[1,1,1,1]),outlineWidth:.9}}})),this.drawCommand||(this.drawCommand=new le(n,{fs:v3,vs:T3,topology:"point-list",vertexCount:a.pointsNumber??0,attributes:{...this.drawPointIndices&&{pointIndices:this.drawPointIndices},...this.sourceSizeBuffer&&{sourceSize:this.sourceSizeBuffer},...this.targetSizeBuffer&&{targetSize:this.targetSizeBuffer},...this.sourceColorBuffer&&{sourceColor:this.sourceColorBuffer},...this.targetColorBuffer&&{targetColor:this.targetColorBuffer},...this.shapeBuffer&&{shape:this.shapeBuffer},...this.imageIndicesBuffer&&{imageIndex:this.imageIndicesBuffer},...this.imageSizesBuffer&&{imageSize:this.imageSizesBuffer}},bufferLayout:[{name:"pointIndices",format:"float32x2"},{name:"sourceSize",format:"float32"},{name:"targetSize",format:"float32"},{name:"sourceColor",format:"float32x4"},{name:"targetColor",format:"float32x4"},{name:"shape",format:"float32"},{name:"imageIndex",format:"float32"},{name:"imageSize",format:"float32"}],defines:{USE_UNIFORM_BUFFERS:!0,EXIT_DEFAULT_SIZE:Cf(S_),EXIT_DEFAULT_COLOR_CHANNEL:Cf(Df)},bindings:{drawVertexUniforms:this.drawUniformStore.getManagedUniformBuffer("drawVertexUniforms"),drawFragmentUniforms:this.drawUniformStore.getManagedUniformBuffer("drawFragmentUniforms")},parameters:{blend:!0,blendColorOperation:"add",blendColorSrcFactor:"src-alpha",blendColorDstFactor:"one-minus-src-alpha",blendAlphaOperation:"add",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one-minus-src-alpha",depthWriteEnabled:!1,depthCompare:"always"}})),this.findPointsInRectVertexCoordBuffer||(this.findPointsInRectVertexCoordBuffer=n.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1])})),this.findPointsInRectUniformStore||(this.findPointsInRectUniformStore=new oe(n,{findPointsInRectUniforms:{uniformTypes:{sizeScale:"f32",spaceSize:"f32",screenSize:"vec2<f32>",ratio:"f32",transformationMatrix:"mat4x4<f32>",rect0:"vec2<f32>",rect1:"vec2<f32>",scalePointsOnZoom:"f32",maxPointSize:"f32"},defaultUniforms:{sizeScale:o.pointSizeScale,spaceSize:s.adjustedSpaceSize,screenSize:ee(s.screenSize,[0,0]),ratio:o.pixelRatio,transformationMatrix:s.transformationMatrix4x4,rect0:ee((i=s.searchArea)==null?void 0:i[0],[0,0]),rect1:ee((r=s.searchArea)==null?void 0:r[1],[0,0]),scalePointsOnZoom:o.scalePointsOnZoom?1:0,maxPointSize:s.maxPointSize}}})),this.findPointsInRectCommand||(this.findPointsInRectCommand=new le(n,{fs:P3,vs:He,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.findPointsInRectVertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{findPointsInRectUniforms:this.findPointsInRectUniformStore.getManagedUniformBuffer("findPointsInRectUniforms")}})),this.findPointsInPolygonVertexCoordBuffer||(this.findPointsInPolygonVertexCoordBuffer=n.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1])})),this.findPointsInPolygonUniformStore||(this.findPointsInPolygonUniformStore=new oe(n,{findPointsInPolygonUniforms:{uniformTypes:{spaceSize:"f32",screenSize:"vec2<f32>",transformationMatrix:"mat4x4<f32>",polygonPathLength:"f32"},defaultUniforms:{spaceSize:s.adjustedSpaceSize,screenSize:ee(s.screenSize,[0,0]),transformationMatrix:s.transformationMatrix4x4,polygonPathLength:this.polygonPathLength}}})),this.findPointsInPolygonCommand||(this.findPointsInPolygonCommand=new le(n,{fs:C3,vs:He,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.findPointsInPolygonVertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{findPointsInPolygonUniforms:this.findPointsInPolygonUniformStore.getManagedUniformBuffer("findPointsInPolygonUniforms")}})),this.findHoveredPointUniformStore||(this.findHoveredPointUniformStore=new oe(n,{findHoveredPointUniforms:{uniformTypes:{pointsTextureSize:"f32",sizeScale:"f32",spaceSize:"f32",screenSize:"vec2<f32>",ratio:"f32",transformationMatrix:"mat4x4<f32>",mousePosition:"vec2<f32>",scalePointsOnZoom:"f32",maxPointSize:"f32",skipHighlighted:"f32",skipGreyed:"f32",pointDefaultSize:"f32"},defaultUniforms:{pointsTextureSize:s.pointsTextureSize??0,sizeScale:o.pointSizeScale,spaceSize:s.adjustedSpaceSize,screenSize:ee(s.screenSize,[0,0]),ratio:o.pixelRatio,transformationMatrix:s.transformationMatrix4x4,mousePosition:ee(s.screenMousePosition,[0,0]),scalePointsOnZoom:o.scalePointsOnZoom?1:0,maxPointSize:s.maxPointSize,skipHighlighted:0,skipGreyed:0,pointDefaultSize:o.pointDefaultSize}}})),this.findHoveredPointCommand||(this.findHoveredPointCommand=new le(n,{fs:R3,vs:E3,topology:"point-list",vertexCount:a.pointsNumber??0,attributes:{...this.hoveredPointIndices&&{pointIndices:this.hoveredPointIndices},...this.targetSizeBuffer&&{size:this.targetSizeBuffer},...this.imageSizesBuffer&&{imageSize:this.imageSizesBuffer}},bufferLayout:[{name:"pointIndices",format:"float32x2"},{name:"size",format:"float32"},{name:"imageSize",format:"float32"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{findHoveredPointUniforms:this.findHoveredPointUniformStore.getManagedUniformBuffer("findHoveredPointUniforms")},parameters:{depthWriteEnabled:!1,depthCompare:"always",blend:!1}})),this.fillSampledPointsUniformStore||(this.fillSampledPointsUniformStore=new oe(n,{fillSampledPointsUniforms:{uniformTypes:{pointsTextureSize:"f32",transformationMatrix:"mat4x4<f32>",spaceSize:"f32",screenSize:"vec2<f32>"},defaultUniforms:{pointsTextureSize:s.pointsTextureSize??0,transformationMatrix:s.transformationMatrix4x4,spaceSize:s.adjustedSpaceSize,screenSize:ee(s.screenSize,[0,0])}}})),this.fillSampledPointsFboCommand||(this.fillSampledPointsFboCommand=new le(n,{fs:I3,vs:M3,topology:"point-list",vertexCount:a.pointsNumber??0,attributes:{...this.sampledPointIndices&&{pointIndices:this.sampledPointIndices}},bufferLayout:[{name:"pointIndices",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{fillSampledPointsUniforms:this.fillSampledPointsUniformStore.getManagedUniformBuffer("fillSampledPointsUniforms")},parameters:{depthWriteEnabled:!1,depthCompare:"always"}})),this.drawHighlightedVertexCoordBuffer||(this.drawHighlightedVertexCoordBuffer=n.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1])})),this.drawHighlightedUniformStore||(this.drawHighlightedUniformStore=new oe(n,{drawHighlightedUniforms:{uniformTypes:{size:"f32",transformationMatrix:"mat4x4<f32>",pointsTextureSize:"f32",sizeScale:"f32",spaceSize:"f32",screenSize:"vec2<f32>",scalePointsOnZoom:"f32",pointIndex:"f32",maxPointSize:"f32",color:"vec4<f32>",universalPointOpacity:"f32",greyoutOpacity:"f32",isDarkenGreyout:"f32",backgroundColor:"vec4<f32>",greyoutColor:"vec4<f32>",width:"f32"},defaultUniforms:{size:1,transformationMatrix:s.transformationMatrix4x4,pointsTextureSize:s.pointsTextureSize??0,sizeScale:o.pointSizeScale,spaceSize:s.adjustedSpaceSize,screenSize:ee(s.screenSize,[0,0]),scalePointsOnZoom:o.scalePointsOnZoom?1:0,pointIndex:-1,maxPointSize:s.maxPointSize,color:[0,0,0,1],universalPointOpacity:o.pointOpacity,greyoutOpacity:o.pointGreyoutOpacity??-1,isDarkenGreyout:s.isDarkenGreyout??!1?1:0,backgroundColor:ue(s.backgroundColor,[0,0,0,1]),greyoutColor:ue(s.greyoutPointColor,[0,0,0,1]),width:.85}}})),this.drawHighlightedCommand||(this.drawHighlightedCommand=new le(n,{fs:A3,vs:w3,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.drawHighlightedVertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{drawHighlightedUniforms:this.drawHighlightedUniformStore.getManagedUniformBuffer("drawHighlightedUniforms")},parameters:{blend:!0,blendColorOperation:"add",blendColorSrcFactor:"src-alpha",blendColorDstFactor:"one-minus-src-alpha",blendAlphaOperation:"add",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one-minus-src-alpha",depthWriteEnabled:!1,depthCompare:"always"}})),this.trackPointsVertexCoordBuffer||(this.trackPointsVertexCoordBuffer=n.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1])})),this.trackPointsUniformStore||(this.trackPointsUniformStore=new oe(n,{trackPointsUniforms:{uniformTypes:{pointsTextureSize:"f32"},defaultUniforms:{pointsTextureSize:s.pointsTextureSize??0}}})),this.trackPointsCommand||(this.trackPointsCommand=new le(n,{fs:F3,vs:He,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.trackPointsVertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{trackPointsUniforms:this.trackPointsUniformStore.getManagedUniformBuffer("trackPointsUniforms")}}))}updateColor(){let{device:t,store:{pointsTextureSize:i},data:r}=this;if(!i)return;let n=r.pointColors,{source:o,target:s,previous:a}=ga(this.device,n,this.sourceColorBuffer,this.targetColorBuffer,this.previousColorData,4);if(this.sourceColorBuffer=o,this.targetColorBuffer=s,this.previousColorData=a,this.drawCommand&&this.drawCommand.setAttributes({...this.sourceColorBuffer&&{sourceColor:this.sourceColorBuffer},...this.targetColorBuffer&&{targetColor:this.targetColorBuffer}}),this.config.linkColorInterpolateFromEndpoints){let l=new Float32Array(i*i*4);l.set(n.subarray(0,Math.min(n.length,l.length))),(!this.pointColorsTexture||this.pointColorsTexture.width!==i||this.pointColorsTexture.height!==i)&&(this.pointColorsTexture&&!this.pointColorsTexture.destroyed&&this.pointColorsTexture.destroy(),this.pointColorsTexture=t.createTexture({width:i,height:i,format:"rgba32float"})),this.pointColorsTexture.copyImageData({data:l,bytesPerRow:q("rgba32float",i),mipLevel:0,x:0,y:0})}else this.pointColorsTexture&&(this.pointColorsTexture.destroyed||this.pointColorsTexture.destroy(),this.pointColorsTexture=void 0)}updatePointStatus(){let{device:t,config:i,data:r,store:{pointsTextureSize:n}}=this;if(!n||r.pointsNumber===void 0)return;let{highlightedPointIndices:o,outlinedPointIndices:s}=i,a=o!==void 0,l=s!==void 0,c=new Float32Array(n*n*4);if(a){for(let f=0;f<c.length;f+=4)c[f]=1;for(let f of o)f>=0&&f<r.pointsNumber&&(c[f*4]=0)}if(l)for(let f of s)f>=0&&f<r.pointsNumber&&(c[f*4+1]=1);let u={data:c,bytesPerRow:q("rgba32float",n),mipLevel:0,x:0,y:0};!this.pointStatusTexture||this.pointStatusTexture.width!==n||this.pointStatusTexture.height!==n?(this.pointStatusTexture&&!this.pointStatusTexture.destroyed&&this.pointStatusTexture.destroy(),this.pointStatusTexture=t.createTexture({width:n,height:n,format:"rgba32float"}),this.pointStatusTexture.copyImageData(u)):this.pointStatusTexture.copyImageData(u)}updatePinnedStatus(){let{device:t,store:{pointsTextureSize:i},data:r}=this;if(!i)return;let n=new Float32Array(i*i*4).fill(0);if(r.inputPinnedPoints&&r.pointsNumber!==void 0)for(let o of r.inputPinnedPoints)o>=0&&o<r.pointsNumber&&(n[o*4]=1);!this.pinnedStatusTexture||this.pinnedStatusTexture.width!==i||this.pinnedStatusTexture.height!==i?(this.pinnedStatusTexture&&!this.pinnedStatusTexture.destroyed&&this.pinnedStatusTexture.destroy(),this.pinnedStatusTexture=t.createTexture({width:i,height:i,format:"rgba32float"}),this.pinnedStatusTexture.copyImageData({data:n,bytesPerRow:q("rgba32float",i),mipLevel:0,x:0,y:0})):this.pinnedStatusTexture.copyImageData({data:n,bytesPerRow:q("rgba32float",i),mipLevel:0,x:0,y:0})}updateExit(){let{device:t,store:{pointsTextureSize:i},data:r}=this;if(!i)return;let n=r.pointsNumber??0,o=this.previousExitData,s=this.hasAnyAbsentPoint,a=new Float32Array(n),l=!1;for(let f=0;f<n;f++){let d=r.pointPositions&&gt(r.pointPositions,f)?1:0;a[f]=d,d&&(l=!0)}if(this.previousExitData=a,this.hasAnyAbsentPoint=l,!l&&!s){if(this.exitTexture&&!this.exitTexture.destroyed&&this.exitTexture.width===1)return;this.exitTexture&&!this.exitTexture.destroyed&&this.exitTexture.destroy(),this.exitTexture=t.createTexture({width:1,height:1,format:"rg32float"}),this.exitTexture.copyImageData({data:new Float32Array(2),bytesPerRow:q("rg32float",1),mipLevel:0,x:0,y:0});return}let c=new Float32Array(i*i*2);for(let f=0;f<n;f++){let d=a[f],h=f<(o?.length??0)?o[f]:d;c[f*2]=h,c[f*2+1]=d}let u=!!this.exitTexture&&this.exitTexture.width===i&&this.exitTexture.height===i;(!this.exitTexture||!u)&&(this.exitTexture&&!this.exitTexture.destroyed&&this.exitTexture.destroy(),this.exitTexture=t.createTexture({width:i,height:i,format:"rg32float"})),this.exitTexture.copyImageData({data:c,bytesPerRow:q("rg32float",i),mipLevel:0,x:0,y:0})}updateSize(){var t;let{device:i,store:{pointsTextureSize:r},data:n}=this;if(!r||n.pointsNumber===void 0)return;let o=n.pointSizes,{source:s,target:a,previous:l}=ga(this.device,o,this.sourceSizeBuffer,this.targetSizeBuffer,this.previousSizeData,1);this.sourceSizeBuffer=s,this.targetSizeBuffer=a,this.previousSizeData=l,this.drawCommand&&this.drawCommand.setAttributes({...this.sourceSizeBuffer&&{sourceSize:this.sourceSizeBuffer},...this.targetSizeBuffer&&{targetSize:this.targetSizeBuffer}});let c=new Float32Array(r*r*4);for(let u=0;u<n.pointsNumber;u++){let f=n.getResolvedPointSize(u),d=((t=n.pointImageSizes)==null?void 0:t[u])??f;c[u*4]=Math.max(f,d)}if(!this.sizeTexture||this.sizeTexture.width!==r||this.sizeTexture.height!==r){this.sizeTexture&&!this.sizeTexture.destroyed&&this.sizeTexture.destroy();let u=i.createTexture({width:r,height:r,format:"rgba32float"});this.sizeTexture=u,u.copyImageData({data:c,bytesPerRow:q("rgba32float",r),mipLevel:0,x:0,y:0})}else this.sizeTexture.copyImageData({data:c,bytesPerRow:q("rgba32float",r),mipLevel:0,x:0,y:0})}updateShape(){let{device:t,data:i}=this;if(i.pointsNumber===void 0||i.pointShapes===void 0)return;let r=i.pointShapes,n=r.byteLength;!this.shapeBuffer||this.shapeBuffer.byteLength!==n?(this.shapeBuffer&&!this.shapeBuffer.destroyed&&this.shapeBuffer.destroy(),this.shapeBuffer=t.createBuffer({data:r,usage:L.VERTEX|L.COPY_DST})):this.shapeBuffer.write(r),this.drawCommand&&this.drawCommand.setAttributes({shape:this.shapeBuffer})}updateImageIndices(){let{device:t,data:i}=this;if(i.pointsNumber===void 0||i.pointImageIndices===void 0)return;let r=i.pointImageIndices,n=r.byteLength;!this.imageIndicesBuffer||this.imageIndicesBuffer.byteLength!==n?(this.imageIndicesBuffer&&!this.imageIndicesBuffer.destroyed&&this.imageIndicesBuffer.destroy(),this.imageIndicesBuffer=t.createBuffer({data:r,usage:L.VERTEX|L.COPY_DST})):this.imageIndicesBuffer.write(r),this.drawCommand&&this.drawCommand.setAttributes({imageIndex:this.imageIndicesBuffer})}updateImageSizes(){let{device:t,data:i}=this;if(i.pointsNumber===void 0||i.pointImageSizes===void 0)return;let r=i.pointImageSizes,n=r.byteLength;!this.imageSizesBuffer||this.imageSizesBuffer.byteLength!==n?(this.imageSizesBuffer&&!this.imageSizesBuffer.destroyed&&this.imageSizesBuffer.destroy(),this.imageSizesBuffer=t.createBuffer({data:r,usage:L.VERTEX|L.COPY_DST})):this.imageSizesBuffer.write(r),this.drawCommand&&this.drawCommand.setAttributes({imageSize:this.imageSizesBuffer}),this.findHoveredPointCommand&&this.findHoveredPointCommand.setAttributes({imageSize:this.imageSizesBuffer})}createAtlas(){var t;let{device:i,data:r,store:n}=this;if(!((t=r.inputImageData)!=null&&t.length)){this.imageCount=0,this.imageAtlasCoordsTextureSize=0,this.imageAtlasCoordsTexture||(this.imageAtlasCoordsTexture=i.createTexture({data:new Float32Array(4).fill(0),width:1,height:1,format:"rgba32float"})),this.imageAtlasTexture||(this.imageAtlasTexture=i.createTexture({data:new Uint8Array(4).fill(0),width:1,height:1,format:"rgba8unorm"}));return}let o=B3(r.inputImageData,n.webglMaxTextureSize);if(!o){console.warn("Failed to create atlas from image data");return}this.imageCount=r.inputImageData.length;let{atlasData:s,atlasSize:a,atlasCoords:l,atlasCoordsSize:c}=o;this.imageAtlasCoordsTextureSize=c,this.imageAtlasTexture&&!this.imageAtlasTexture.destroyed&&this.imageAtlasTexture.destroy(),this.imageAtlasTexture=i.createTexture({width:a,height:a,format:"rgba8unorm"}),this.imageAtlasTexture.copyImageData({data:s,bytesPerRow:q("rgba8unorm",a),rowsPerImage:a,mipLevel:0,x:0,y:0}),this.imageAtlasCoordsTexture&&!this.imageAtlasCoordsTexture.destroyed&&this.imageAtlasCoordsTexture.destroy(),this.imageAtlasCoordsTexture=i.createTexture({width:c,height:c,format:"rgba32float"}),this.imageAtlasCoordsTexture.copyImageData({data:l,bytesPerRow:q("rgba32float",c),rowsPerImage:c,mipLevel:0,x:0,y:0})}updateSampledPointsGrid(){let{store:{screenSize:t},config:{pointSamplingDistance:i},device:r}=this,n=i??Math.min(...t)/2;n===0&&(n=Ut.pointSamplingDistance);let o=Math.ceil(t[0]/n),s=Math.ceil(t[1]/n);o===0||s===0||(!this.sampledPointsFbo||this.sampledPointsFbo.width!==o||this.sampledPointsFbo.height!==s)&&(this.sampledPointsFbo&&!this.sampledPointsFbo.destroyed&&this.sampledPointsFbo.destroy(),this.sampledPointsFbo=r.createFramebuffer({width:o,height:s,colorAttachments:["rgba32float"]}))}trackPoints(){var t;if(!((t=this.trackedIndices)!=null&&t.length)||!this.trackPointsCommand||!this.trackPointsUniformStore||!this.trackedPositionsFbo||this.trackedPositionsFbo.destroyed||!this.currentPositionTexture||this.currentPositionTexture.destroyed||!this.trackedIndicesTexture||this.trackedIndicesTexture.destroyed)return;this.trackPointsUniformStore.setUniforms({trackPointsUniforms:{pointsTextureSize:this.store.pointsTextureSize??0}}),this.trackPointsCommand.setBindings({positionsTexture:this.currentPositionTexture,trackedIndices:this.trackedIndicesTexture});let i=this.device.beginRenderPass({framebuffer:this.trackedPositionsFbo});this.trackPointsCommand.draw(i),i.end()}setTransitionProgress(t,i=!1,r=!1,n=!1){this.transitionProgress=t,this.shouldAnimatePointColors=i,this.shouldAnimatePointSizes=r,this.shouldAnimatePointPositions=n}draw(t){var i,r;let{data:n,config:o,store:s}=this;if(this.targetColorBuffer||this.updateColor(),this.targetSizeBuffer||this.updateSize(),this.exitTexture||this.updateExit(),this.shapeBuffer||this.updateShape(),this.imageIndicesBuffer||this.updateImageIndices(),this.imageSizesBuffer||this.updateImageSizes(),!this.drawCommand||!this.drawUniformStore||!this.currentPositionTexture||this.currentPositionTexture.destroyed||!this.pointStatusTexture||this.pointStatusTexture.destroyed||!this.exitTexture||this.exitTexture.destroyed||(!this.imageAtlasTexture||!this.imageAtlasCoordsTexture)&&(this.createAtlas(),!this.imageAtlasTexture||!this.imageAtlasCoordsTexture)||this.imageAtlasTexture.destroyed||this.imageAtlasCoordsTexture.destroyed||!n.pointsNumber||n.pointsNumber===0||!s.screenSize||s.screenSize[0]===0||s.screenSize[1]===0)return;this.drawCommand.setVertexCount(n.pointsNumber);let a={ratio:o.pixelRatio,transformationMatrix:s.transformationMatrix4x4,pointsTextureSize:s.pointsTextureSize??0,sizeScale:o.pointSizeScale,spaceSize:s.adjustedSpaceSize,screenSize:ee(s.screenSize,[0,0]),greyoutColor:ue(s.greyoutPointColor,[-1,-1,-1,-1]),backgroundColor:ue(s.backgroundColor,[0,0,0,1]),scalePointsOnZoom:o.scalePointsOnZoom?1:0,maxPointSize:s.maxPointSize,isDarkenGreyout:s.isDarkenGreyout??!1?1:0,hasImages:this.imageCount>0?1:0,imageCount:this.imageCount,imageAtlasCoordsTextureSize:this.imageAtlasCoordsTextureSize??0,transitionProgress:this.transitionProgress,animateColors:this.shouldAnimatePointColors?1:0,animateSizes:this.shouldAnimatePointSizes?1:0,animatePositions:this.shouldAnimatePointPositions?1:0,pointDefaultColor:ue(n.defaultRgba,[0,0,0,1]),pointDefaultSize:o.pointDefaultSize},l={greyoutOpacity:o.pointGreyoutOpacity??-1,pointOpacity:o.pointOpacity,isDarkenGreyout:s.isDarkenGreyout??!1?1:0,backgroundColor:ue(s.backgroundColor,[0,0,0,1]),outlineColor:ue(s.outlinedPointRingColor,[1,1,1,1]),outlineWidth:.9};if(o.highlightedPointIndices!==void 0?(this.drawUniformStore.setUniforms({drawVertexUniforms:{...a,skipHighlighted:1,skipGreyed:0},drawFragmentUniforms:l}),this.drawCommand.setBindings({positionsTexture:this.currentPositionTexture,pointStatus:this.pointStatusTexture,exitTexture:this.exitTexture,imageAtlasTexture:this.imageAtlasTexture,imageAtlasCoords:this.imageAtlasCoordsTexture}),this.drawCommand.draw(t),this.drawUniformStore.setUniforms({drawVertexUniforms:{...a,skipHighlighted:0,skipGreyed:1},drawFragmentUniforms:l}),this.drawCommand.setBindings({positionsTexture:this.currentPositionTexture,pointStatus:this.pointStatusTexture,exitTexture:this.exitTexture,imageAtlasTexture:this.imageAtlasTexture,imageAtlasCoords:this.imageAtlasCoordsTexture}),this.drawCommand.draw(t)):(this.drawUniformStore.setUniforms({drawVertexUniforms:{...a,skipHighlighted:0,skipGreyed:0},drawFragmentUniforms:l}),this.drawCommand.setBindings({positionsTexture:this.currentPositionTexture,pointStatus:this.pointStatusTexture,exitTexture:this.exitTexture,imageAtlasTexture:this.imageAtlasTexture,imageAtlasCoords:this.imageAtlasCoordsTexture}),this.drawCommand.draw(t)),o.renderHoveredPointRing&&s.hoveredPoint&&this.drawHighlightedCommand&&this.drawHighlightedUniformStore){if(!this.currentPositionTexture||this.currentPositionTexture.destroyed||!this.pointStatusTexture||this.pointStatusTexture.destroyed)return;let c=n.getResolvedPointSize(s.hoveredPoint.index),u=((i=n.pointImageSizes)==null?void 0:i[s.hoveredPoint.index])??c;this.drawHighlightedUniformStore.setUniforms({drawHighlightedUniforms:{size:Math.max(c,u),transformationMatrix:s.transformationMatrix4x4,pointsTextureSize:s.pointsTextureSize??0,sizeScale:o.pointSizeScale,spaceSize:s.adjustedSpaceSize,screenSize:ee(s.screenSize,[0,0]),scalePointsOnZoom:o.scalePointsOnZoom?1:0,pointIndex:s.hoveredPoint.index,maxPointSize:s.maxPointSize,color:ue(s.hoveredPointRingColor,[0,0,0,1]),universalPointOpacity:o.pointOpacity,greyoutOpacity:o.pointGreyoutOpacity??-1,isDarkenGreyout:s.isDarkenGreyout??!1?1:0,backgroundColor:ue(s.backgroundColor,[0,0,0,1]),greyoutColor:ue(s.greyoutPointColor,[0,0,0,1]),width:.85}}),this.drawHighlightedCommand.setBindings({positionsTexture:this.currentPositionTexture,pointStatus:this.pointStatusTexture,exitTexture:this.exitTexture}),this.drawHighlightedCommand.draw(t)}if(s.focusedPoint&&this.drawHighlightedCommand&&this.drawHighlightedUniformStore){if(!this.currentPositionTexture||this.currentPositionTexture.destroyed||!this.pointStatusTexture||this.pointStatusTexture.destroyed)return;let c=n.getResolvedPointSize(s.focusedPoint.index),u=((r=n.pointImageSizes)==null?void 0:r[s.focusedPoint.index])??c;this.drawHighlightedUniformStore.setUniforms({drawHighlightedUniforms:{size:Math.max(c,u),transformationMatrix:s.transformationMatrix4x4,pointsTextureSize:s.pointsTextureSize??0,sizeScale:o.pointSizeScale,spaceSize:s.adjustedSpaceSize,screenSize:ee(s.screenSize,[0,0]),scalePointsOnZoom:o.scalePointsOnZoom?1:0,pointIndex:s.focusedPoint.index,maxPointSize:s.maxPointSize,color:ue(s.focusedPointRingColor,[0,0,0,1]),universalPointOpacity:o.pointOpacity,greyoutOpacity:o.pointGreyoutOpacity??-1,isDarkenGreyout:s.isDarkenGreyout??!1?1:0,backgroundColor:ue(s.backgroundColor,[0,0,0,1]),greyoutColor:ue(s.greyoutPointColor,[0,0,0,1]),width:.85}}),this.drawHighlightedCommand.setBindings({positionsTexture:this.currentPositionTexture,pointStatus:this.pointStatusTexture,exitTexture:this.exitTexture}),this.drawHighlightedCommand.draw(t)}}updatePosition(){if(!this.updatePositionCommand||!this.updatePositionUniformStore||!this.currentPositionFbo||this.currentPositionFbo.destroyed||!this.previousPositionTexture||this.previousPositionTexture.destroyed||!this.velocityTexture||this.velocityTexture.destroyed||!this.pinnedStatusTexture||this.pinnedStatusTexture.destroyed||!this.exitTexture||this.exitTexture.destroyed)return;this.updatePositionUniformStore.setUniforms({updatePositionUniforms:{friction:this.config.simulationFriction,spaceSize:this.store.adjustedSpaceSize}}),this.updatePositionCommand.setBindings({positionsTexture:this.previousPositionTexture,velocity:this.velocityTexture,pinnedStatusTexture:this.pinnedStatusTexture,exitTexture:this.exitTexture});let t=this.device.beginRenderPass({framebuffer:this.currentPositionFbo});this.updatePositionCommand.draw(t),t.end(),this.isPositionsUpToDate=!1}drag(){var t;if(!this.dragPointCommand||!this.dragPointUniformStore||!this.currentPositionFbo||this.currentPositionFbo.destroyed||!this.previousPositionTexture||this.previousPositionTexture.destroyed)return;this.dragPointUniformStore.setUniforms({dragPointUniforms:{mousePos:ee(this.store.mousePosition,[0,0]),index:((t=this.store.hoveredPoint)==null?void 0:t.index)??-1}}),this.dragPointCommand.setBindings({positionsTexture:this.previousPositionTexture});let i=this.device.beginRenderPass({framebuffer:this.currentPositionFbo});this.dragPointCommand.draw(i),i.end(),this.isPositionsUpToDate=!1}findPointsInRect(){var t,i;if(!this.findPointsInRectCommand||!this.findPointsInRectUniformStore||!this.searchFbo||this.searchFbo.destroyed||!this.currentPositionTexture||this.currentPositionTexture.destroyed||!this.sizeTexture||this.sizeTexture.destroyed||(this.exitTexture||this.updateExit(),!this.exitTexture||this.exitTexture.destroyed))return!1;this.findPointsInRectUniformStore.setUniforms({findPointsInRectUniforms:{spaceSize:this.store.adjustedSpaceSize,screenSize:ee(this.store.screenSize,[0,0]),sizeScale:this.config.pointSizeScale,transformationMatrix:this.store.transformationMatrix4x4,ratio:this.config.pixelRatio,rect0:ee((t=this.store.searchArea)==null?void 0:t[0],[0,0]),rect1:ee((i=this.store.searchArea)==null?void 0:i[1],[0,0]),scalePointsOnZoom:this.config.scalePointsOnZoom?1:0,maxPointSize:this.store.maxPointSize}}),this.findPointsInRectCommand.setBindings({positionsTexture:this.currentPositionTexture,pointSize:this.sizeTexture,exitTexture:this.exitTexture});let r=this.device.beginRenderPass({framebuffer:this.searchFbo});return this.findPointsInRectCommand.draw(r),r.end(),!0}findPointsInPolygon(){if(!this.findPointsInPolygonCommand||!this.findPointsInPolygonUniformStore||!this.searchFbo||this.searchFbo.destroyed||!this.currentPositionTexture||this.currentPositionTexture.destroyed||!this.polygonPathTexture||this.polygonPathTexture.destroyed||(this.exitTexture||this.updateExit(),!this.exitTexture||this.exitTexture.destroyed))return!1;this.findPointsInPolygonUniformStore.setUniforms({findPointsInPolygonUniforms:{spaceSize:this.store.adjustedSpaceSize,screenSize:ee(this.store.screenSize,[0,0]),transformationMatrix:this.store.transformationMatrix4x4,polygonPathLength:this.polygonPathLength}}),this.findPointsInPolygonCommand.setBindings({positionsTexture:this.currentPositionTexture,polygonPathTexture:this.polygonPathTexture,exitTexture:this.exitTexture});let t=this.device.beginRenderPass({framebuffer:this.searchFbo});return this.findPointsInPolygonCommand.draw(t),t.end(),!0}updatePolygonPath(t){let{device:i}=this;if(this.polygonPathLength=t.length,t.length===0){this.polygonPathTexture&&!this.polygonPathTexture.destroyed&&this.polygonPathTexture.destroy(),this.polygonPathTexture=void 0;return}let r=Math.ceil(Math.sqrt(t.length)),n=new Float32Array(r*r*4);for(let[o,s]of t.entries()){let[a,l]=s;n[o*4]=a,n[o*4+1]=l,n[o*4+2]=0,n[o*4+3]=0}!this.polygonPathTexture||this.polygonPathTexture.width!==r||this.polygonPathTexture.height!==r?(this.polygonPathTexture&&!this.polygonPathTexture.destroyed&&this.polygonPathTexture.destroy(),this.polygonPathTexture=i.createTexture({width:r,height:r,format:"rgba32float"}),this.polygonPathTexture.copyImageData({data:n,bytesPerRow:q("rgba32float",r),mipLevel:0,x:0,y:0})):this.polygonPathTexture.copyImageData({data:n,bytesPerRow:q("rgba32float",r),mipLevel:0,x:0,y:0})}findHoveredPoint(){if(!this.hoveredFbo||this.hoveredFbo.destroyed||!this.findHoveredPointCommand||!this.findHoveredPointUniformStore||!this.currentPositionTexture||this.currentPositionTexture.destroyed||(this.pointStatusTexture||this.updatePointStatus(),!this.pointStatusTexture||this.pointStatusTexture.destroyed)||(this.exitTexture||this.updateExit(),!this.exitTexture||this.exitTexture.destroyed))return;this.findHoveredPointCommand.setVertexCount(this.data.pointsNumber??0),this.findHoveredPointCommand.setAttributes({...this.hoveredPointIndices&&{pointIndices:this.hoveredPointIndices},...this.targetSizeBuffer&&{size:this.targetSizeBuffer},...this.imageSizesBuffer&&{imageSize:this.imageSizesBuffer}});let t={ratio:this.config.pixelRatio,sizeScale:this.config.pointSizeScale,pointsTextureSize:this.store.pointsTextureSize??0,transformationMatrix:this.store.transformationMatrix4x4,spaceSize:this.store.adjustedSpaceSize,screenSize:ee(this.store.screenSize,[0,0]),scalePointsOnZoom:this.config.scalePointsOnZoom?1:0,mousePosition:ee(this.store.screenMousePosition,[0,0]),maxPointSize:this.store.maxPointSize,pointDefaultSize:this.config.pointDefaultSize},i={positionsTexture:this.currentPositionTexture,pointStatus:this.pointStatusTexture,exitTexture:this.exitTexture},r=this.device.beginRenderPass({framebuffer:this.hoveredFbo,clearColor:[0,0,0,0]});this.config.highlightedPointIndices!==void 0?(this.findHoveredPointUniformStore.setUniforms({findHoveredPointUniforms:{...t,skipHighlighted:1,skipGreyed:0}}),this.findHoveredPointCommand.setBindings(i),this.findHoveredPointCommand.draw(r),this.findHoveredPointUniformStore.setUniforms({findHoveredPointUniforms:{...t,skipHighlighted:0,skipGreyed:1}}),this.findHoveredPointCommand.setBindings(i),this.findHoveredPointCommand.draw(r)):(this.findHoveredPointUniformStore.setUniforms({findHoveredPointUniforms:{...t,skipHighlighted:0,skipGreyed:0}}),this.findHoveredPointCommand.setBindings(i),this.findHoveredPointCommand.draw(r)),r.end()}trackPointsByIndices(t){let{store:{pointsTextureSize:i},device:r}=this;if(this.trackedIndices=t,this.trackedPositions=void 0,this.isPositionsUpToDate=!1,!(t!=null&&t.length)||!i)return;let n=Math.ceil(Math.sqrt(t.length)),o=new Float32Array(n*n*4).fill(-1);for(let[s,a]of t.entries())a!==void 0&&(o[s*4]=a%i,o[s*4+1]=Math.floor(a/i),o[s*4+2]=0,o[s*4+3]=0);!this.trackedIndicesTexture||this.trackedIndicesTexture.width!==n||this.trackedIndicesTexture.height!==n?(this.trackedIndicesTexture&&!this.trackedIndicesTexture.destroyed&&this.trackedIndicesTexture.destroy(),this.trackedIndicesTexture=r.createTexture({width:n,height:n,format:"rgba32float"}),this.trackedIndicesTexture.copyImageData({data:o,bytesPerRow:q("rgba32float",n),mipLevel:0,x:0,y:0})):this.trackedIndicesTexture.copyImageData({data:o,bytesPerRow:q("rgba32float",n),mipLevel:0,x:0,y:0}),(!this.trackedPositionsFbo||this.trackedPositionsFbo.width!==n||this.trackedPositionsFbo.height!==n)&&(this.trackedPositionsFbo&&!this.trackedPositionsFbo.destroyed&&this.trackedPositionsFbo.destroy(),this.trackedPositionsFbo=r.createFramebuffer({width:n,height:n,colorAttachments:["rgba32float"]})),this.trackPoints()}getTrackedPositionsMap(){if(!this.trackedIndices)return new Map;let{config:{enableSimulation:t},store:{isSimulationRunning:i}}=this;if((!t||!i)&&this.isPositionsUpToDate&&this.trackedPositions)return this.trackedPositions;if(!this.trackedPositionsFbo||this.trackedPositionsFbo.destroyed)return new Map;let r=We(this.device,this.trackedPositionsFbo),n=new Map;for(let o=0;o<r.length/4;o+=1){let s=r[o*4],a=r[o*4+1],l=this.trackedIndices[o];if(s!==void 0&&a!==void 0&&l!==void 0){if(this.data.pointPositions&&gt(this.data.pointPositions,l))continue;n.set(l,[s,a])}}return(!t||!i)&&(this.trackedPositions=n,this.isPositionsUpToDate=!0),n}getSampledPointPositionsMap(){let t=new Map;if(!this.sampledPointsFbo||this.sampledPointsFbo.destroyed)return t;if(this.fillSampledPointsFboCommand&&this.fillSampledPointsUniformStore&&this.sampledPointsFbo){if(!this.currentPositionTexture||this.currentPositionTexture.destroyed||(this.exitTexture||this.updateExit(),!this.exitTexture||this.exitTexture.destroyed))return t;this.fillSampledPointsFboCommand.setVertexCount(this.data.pointsNumber??0),this.fillSampledPointsUniformStore.setUniforms({fillSampledPointsUniforms:{pointsTextureSize:this.store.pointsTextureSize??0,transformationMatrix:this.store.transformationMatrix4x4,spaceSize:this.store.adjustedSpaceSize,screenSize:ee(this.store.screenSize,[0,0])}}),this.fillSampledPointsFboCommand.setBindings({positionsTexture:this.currentPositionTexture,exitTexture:this.exitTexture});let r=this.device.beginRenderPass({framebuffer:this.sampledPointsFbo,clearColor:[0,0,0,0]});this.fillSampledPointsFboCommand.draw(r),r.end()}let i=We(this.device,this.sampledPointsFbo);for(let r=0;r<i.length/4;r++){let n=i[r*4],o=!!i[r*4+1],s=i[r*4+2],a=i[r*4+3];o&&n!==void 0&&s!==void 0&&a!==void 0&&t.set(n,[s,a])}return t}getSampledPoints(){let t=[],i=[];if(!this.sampledPointsFbo||this.sampledPointsFbo.destroyed)return{indices:t,positions:i};if(this.fillSampledPointsFboCommand&&this.fillSampledPointsUniformStore&&this.sampledPointsFbo){if(!this.currentPositionTexture||this.currentPositionTexture.destroyed)return{indices:t,positions:i};if(this.exitTexture||this.updateExit(),!this.exitTexture||this.exitTexture.destroyed)return{indices:t,positions:i};this.fillSampledPointsFboCommand.setVertexCount(this.data.pointsNumber??0),this.fillSampledPointsUniformStore.setUniforms({fillSampledPointsUniforms:{pointsTextureSize:this.store.pointsTextureSize??0,transformationMatrix:this.store.transformationMatrix4x4,spaceSize:this.store.adjustedSpaceSize,screenSize:ee(this.store.screenSize,[0,0])}}),this.fillSampledPointsFboCommand.setBindings({positionsTexture:this.currentPositionTexture,exitTexture:this.exitTexture});let n=this.device.beginRenderPass({framebuffer:this.sampledPointsFbo,clearColor:[0,0,0,0]});this.fillSampledPointsFboCommand.draw(n),n.end()}let r=We(this.device,this.sampledPointsFbo);for(let n=0;n<r.length/4;n++){let o=r[n*4],s=!!r[n*4+1],a=r[n*4+2],l=r[n*4+3];s&&o!==void 0&&a!==void 0&&l!==void 0&&(t.push(o),i.push(a,l))}return{indices:t,positions:i}}getTrackedPositionsArray(){let t=[];if(!this.trackedIndices||!this.trackedPositionsFbo||this.trackedPositionsFbo.destroyed)return t;t.length=this.trackedIndices.length*2;let i=We(this.device,this.trackedPositionsFbo);for(let r=0;r<i.length/4;r+=1){let n=i[r*4],o=i[r*4+1],s=this.trackedIndices[r];if(n!==void 0&&o!==void 0&&s!==void 0){if(this.data.pointPositions&&gt(this.data.pointPositions,s)){t[r*2]=NaN,t[r*2+1]=NaN;continue}t[r*2]=n,t[r*2+1]=o}}return t}destroy(){var t,i,r,n,o,s,a,l,c,u,f,d,h,m,g,b,x,v,T,_;(t=this.drawCommand)==null||t.destroy(),this.drawCommand=void 0,(i=this.drawHighlightedCommand)==null||i.destroy(),this.drawHighlightedCommand=void 0,(r=this.interpolatePositionCommand)==null||r.destroy(),this.interpolatePositionCommand=void 0,(n=this.updatePositionCommand)==null||n.destroy(),this.updatePositionCommand=void 0,(o=this.dragPointCommand)==null||o.destroy(),this.dragPointCommand=void 0,(s=this.findPointsInRectCommand)==null||s.destroy(),this.findPointsInRectCommand=void 0,(a=this.findPointsInPolygonCommand)==null||a.destroy(),this.findPointsInPolygonCommand=void 0,(l=this.findHoveredPointCommand)==null||l.destroy(),this.findHoveredPointCommand=void 0,(c=this.fillSampledPointsFboCommand)==null||c.destroy(),this.fillSampledPointsFboCommand=void 0,(u=this.trackPointsCommand)==null||u.destroy(),this.trackPointsCommand=void 0,this.currentPositionFbo&&!this.currentPositionFbo.destroyed&&this.currentPositionFbo.destroy(),this.currentPositionFbo=void 0,this.previousPositionFbo&&!this.previousPositionFbo.destroyed&&this.previousPositionFbo.destroy(),this.previousPositionFbo=void 0,this.sourcePositionFbo&&!this.sourcePositionFbo.destroyed&&this.sourcePositionFbo.destroy(),this.sourcePositionFbo=void 0,this.targetPositionFbo&&!this.targetPositionFbo.destroyed&&this.targetPositionFbo.destroy(),this.targetPositionFbo=void 0,this.velocityFbo&&!this.velocityFbo.destroyed&&this.velocityFbo.destroy(),this.velocityFbo=void 0,this.searchFbo&&!this.searchFbo.destroyed&&this.searchFbo.destroy(),this.searchFbo=void 0,this.hoveredFbo&&!this.hoveredFbo.destroyed&&this.hoveredFbo.destroy(),this.hoveredFbo=void 0,this.trackedPositionsFbo&&!this.trackedPositionsFbo.destroyed&&this.trackedPositionsFbo.destroy(),this.trackedPositionsFbo=void 0,this.sampledPointsFbo&&!this.sampledPointsFbo.destroyed&&this.sampledPointsFbo.destroy(),this.sampledPointsFbo=void 0,this.currentPositionTexture&&!this.currentPositionTexture.destroyed&&this.currentPositionTexture.destroy(),this.currentPositionTexture=void 0,this.previousPositionTexture&&!this.previousPositionTexture.destroyed&&this.previousPositionTexture.destroy(),this.previousPositionTexture=void 0,this.sourcePositionTexture&&!this.sourcePositionTexture.destroyed&&this.sourcePositionTexture.destroy(),this.sourcePositionTexture=void 0,this.targetPositionTexture&&!this.targetPositionTexture.destroyed&&this.targetPositionTexture.destroy(),this.targetPositionTexture=void 0,this.velocityTexture&&!this.velocityTexture.destroyed&&this.velocityTexture.destroy(),this.velocityTexture=void 0,this.searchTexture&&!this.searchTexture.destroyed&&this.searchTexture.destroy(),this.searchTexture=void 0,this.pointStatusTexture&&!this.pointStatusTexture.destroyed&&this.pointStatusTexture.destroy(),this.pointStatusTexture=void 0,this.pointColorsTexture&&!this.pointColorsTexture.destroyed&&this.pointColorsTexture.destroy(),this.pointColorsTexture=void 0,this.sizeTexture&&!this.sizeTexture.destroyed&&this.sizeTexture.destroy(),this.sizeTexture=void 0,this.trackedIndicesTexture&&!this.trackedIndicesTexture.destroyed&&this.trackedIndicesTexture.destroy(),this.trackedIndicesTexture=void 0,this.polygonPathTexture&&!this.polygonPathTexture.destroyed&&this.polygonPathTexture.destroy(),this.polygonPathTexture=void 0,this.imageAtlasTexture&&!this.imageAtlasTexture.destroyed&&this.imageAtlasTexture.destroy(),this.imageAtlasTexture=void 0,this.imageAtlasCoordsTexture&&!this.imageAtlasCoordsTexture.destroyed&&this.imageAtlasCoordsTexture.destroy(),this.imageAtlasCoordsTexture=void 0,this.pinnedStatusTexture&&!this.pinnedStatusTexture.destroyed&&this.pinnedStatusTexture.destroy(),this.pinnedStatusTexture=void 0,this.exitTexture&&!this.exitTexture.destroyed&&this.exitTexture.destroy(),this.exitTexture=void 0,this.hasAnyAbsentPoint=!1,(f=this.interpolatePositionUniformStore)==null||f.destroy(),this.interpolatePositionUniformStore=void 0,(d=this.updatePositionUniformStore)==null||d.destroy(),this.updatePositionUniformStore=void 0,(h=this.dragPointUniformStore)==null||h.destroy(),this.dragPointUniformStore=void 0,(m=this.drawUniformStore)==null||m.destroy(),this.drawUniformStore=void 0,(g=this.findPointsInRectUniformStore)==null||g.destroy(),this.findPointsInRectUniformStore=void 0,(b=this.findPointsInPolygonUniformStore)==null||b.destroy(),this.findPointsInPolygonUniformStore=void 0,(x=this.findHoveredPointUniformStore)==null||x.destroy(),this.findHoveredPointUniformStore=void 0,(v=this.fillSampledPointsUniformStore)==null||v.destroy(),this.fillSampledPointsUniformStore=void 0,(T=this.drawHighlightedUniformStore)==null||T.destroy(),this.drawHighlightedUniformStore=void 0,(_=this.trackPointsUniformStore)==null||_.destroy(),this.trackPointsUniformStore=void 0,this.sourceColorBuffer&&!this.sourceColorBuffer.destroyed&&this.sourceColorBuffer.destroy(),this.sourceColorBuffer=void 0,this.targetColorBuffer&&!this.targetColorBuffer.destroyed&&this.targetColorBuffer.destroy(),this.targetColorBuffer=void 0,this.previousColorData=void 0,this.sourceSizeBuffer&&!this.sourceSizeBuffer.destroyed&&this.sourceSizeBuffer.destroy(),this.sourceSizeBuffer=void 0,this.targetSizeBuffer&&!this.targetSizeBuffer.destroyed&&this.targetSizeBuffer.destroy(),this.targetSizeBuffer=void 0,this.previousSizeData=void 0,this.previousExitData=void 0,this.shapeBuffer&&!this.shapeBuffer.destroyed&&this.shapeBuffer.destroy(),this.shapeBuffer=void 0,this.imageIndicesBuffer&&!this.imageIndicesBuffer.destroyed&&this.imageIndicesBuffer.destroy(),this.imageIndicesBuffer=void 0,this.imageSizesBuffer&&!this.imageSizesBuffer.destroyed&&this.imageSizesBuffer.destroy(),this.imageSizesBuffer=void 0,this.drawPointIndices&&!this.drawPointIndices.destroyed&&this.drawPointIndices.destroy(),this.drawPointIndices=void 0,this.hoveredPointIndices&&!this.hoveredPointIndices.destroyed&&this.hoveredPointIndices.destroy(),this.hoveredPointIndices=void 0,this.sampledPointIndices&&!this.sampledPointIndices.destroyed&&this.sampledPointIndices.destroy(),this.sampledPointIndices=void 0,this.updatePositionVertexCoordBuffer&&!this.updatePositionVertexCoordBuffer.destroyed&&this.updatePositionVertexCoordBuffer.destroy(),this.updatePositionVertexCoordBuffer=void 0,this.interpolatePositionVertexCoordBuffer&&!this.interpolatePositionVertexCoordBuffer.destroyed&&this.interpolatePositionVertexCoordBuffer.destroy(),this.interpolatePositionVertexCoordBuffer=void 0,this.dragPointVertexCoordBuffer&&!this.dragPointVertexCoordBuffer.destroyed&&this.dragPointVertexCoordBuffer.destroy(),this.dragPointVertexCoordBuffer=void 0,this.findPointsInRectVertexCoordBuffer&&!this.findPointsInRectVertexCoordBuffer.destroyed&&this.findPointsInRectVertexCoordBuffer.destroy(),this.findPointsInRectVertexCoordBuffer=void 0,this.findPointsInPolygonVertexCoordBuffer&&!this.findPointsInPolygonVertexCoordBuffer.destroyed&&this.findPointsInPolygonVertexCoordBuffer.destroy(),this.findPointsInPolygonVertexCoordBuffer=void 0,this.drawHighlightedVertexCoordBuffer&&!this.drawHighlightedVertexCoordBuffer.destroyed&&this.drawHighlightedVertexCoordBuffer.destroy(),this.drawHighlightedVertexCoordBuffer=void 0,this.trackPointsVertexCoordBuffer&&!this.trackPointsVertexCoordBuffer.destroyed&&this.trackPointsVertexCoordBuffer.destroy(),this.trackPointsVertexCoordBuffer=void 0}ensureSimulationResources(){let{store:{pointsTextureSize:t},device:i}=this;if(!t)return;this.ensureUpdatePositionProgram();let r=new Float32Array(t*t*4).fill(0);!this.velocityTexture||this.velocityTexture.width!==t||this.velocityTexture.height!==t?(this.velocityFbo&&!this.velocityFbo.destroyed&&this.velocityFbo.destroy(),this.velocityTexture&&!this.velocityTexture.destroyed&&this.velocityTexture.destroy(),this.velocityTexture=i.createTexture({width:t,height:t,format:"rgba32float"}),this.velocityTexture.copyImageData({data:r,bytesPerRow:q("rgba32float",t),mipLevel:0,x:0,y:0}),this.velocityFbo=i.createFramebuffer({width:t,height:t,colorAttachments:[this.velocityTexture]})):this.velocityTexture.copyImageData({data:r,bytesPerRow:q("rgba32float",t),mipLevel:0,x:0,y:0})}createTransitionResources(){let{store:{pointsTextureSize:t},device:i}=this;if(!t)return;let r=new Float32Array(t*t*4).fill(0),n=B.SAMPLE|B.RENDER|B.COPY_SRC|B.COPY_DST;(!this.sourcePositionTexture||this.sourcePositionTexture.width!==t||this.sourcePositionTexture.height!==t)&&(this.sourcePositionFbo&&!this.sourcePositionFbo.destroyed&&this.sourcePositionFbo.destroy(),this.sourcePositionTexture&&!this.sourcePositionTexture.destroyed&&this.sourcePositionTexture.destroy(),this.sourcePositionTexture=i.createTexture({width:t,height:t,format:"rgba32float",usage:n}),this.sourcePositionFbo=i.createFramebuffer({width:t,height:t,colorAttachments:[this.sourcePositionTexture]})),this.sourcePositionTexture.copyImageData({data:r,bytesPerRow:q("rgba32float",t),mipLevel:0,x:0,y:0}),(!this.targetPositionTexture||this.targetPositionTexture.width!==t||this.targetPositionTexture.height!==t)&&(this.targetPositionFbo&&!this.targetPositionFbo.destroyed&&this.targetPositionFbo.destroy(),this.targetPositionTexture&&!this.targetPositionTexture.destroyed&&this.targetPositionTexture.destroy(),this.targetPositionTexture=i.createTexture({width:t,height:t,format:"rgba32float",usage:n}),this.targetPositionFbo=i.createFramebuffer({width:t,height:t,colorAttachments:[this.targetPositionTexture]})),this.targetPositionTexture.copyImageData({data:r,bytesPerRow:q("rgba32float",t),mipLevel:0,x:0,y:0}),this.interpolatePositionVertexCoordBuffer||(this.interpolatePositionVertexCoordBuffer=i.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1])})),this.interpolatePositionUniformStore||(this.interpolatePositionUniformStore=new oe(i,{interpolatePositionUniforms:{uniformTypes:{progress:"f32"},defaultUniforms:{progress:0}}})),this.interpolatePositionCommand||(this.interpolatePositionCommand=new le(i,{fs:k3,vs:He,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.interpolatePositionVertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{interpolatePositionUniforms:this.interpolatePositionUniformStore.getManagedUniformBuffer("interpolatePositionUniforms")}}))}destroyTransitionResources(){var t,i;(t=this.interpolatePositionCommand)==null||t.destroy(),this.interpolatePositionCommand=void 0,(i=this.interpolatePositionUniformStore)==null||i.destroy(),this.interpolatePositionUniformStore=void 0,this.interpolatePositionVertexCoordBuffer&&!this.interpolatePositionVertexCoordBuffer.destroyed&&this.interpolatePositionVertexCoordBuffer.destroy(),this.interpolatePositionVertexCoordBuffer=void 0,this.sourcePositionFbo&&!this.sourcePositionFbo.destroyed&&this.sourcePositionFbo.destroy(),this.sourcePositionFbo=void 0,this.sourcePositionTexture&&!this.sourcePositionTexture.destroyed&&this.sourcePositionTexture.destroy(),this.sourcePositionTexture=void 0,this.targetPositionFbo&&!this.targetPositionFbo.destroyed&&this.targetPositionFbo.destroy(),this.targetPositionFbo=void 0,this.targetPositionTexture&&!this.targetPositionTexture.destroyed&&this.targetPositionTexture.destroy(),this.targetPositionTexture=void 0}interpolatePosition(t){if(!this.interpolatePositionCommand||!this.interpolatePositionUniformStore||!this.sourcePositionTexture||this.sourcePositionTexture.destroyed||!this.targetPositionTexture||this.targetPositionTexture.destroyed||!this.currentPositionFbo||this.currentPositionFbo.destroyed)return;this.interpolatePositionUniformStore.setUniforms({interpolatePositionUniforms:{progress:t}}),this.interpolatePositionCommand.setBindings({sourceTexture:this.sourcePositionTexture,targetTexture:this.targetPositionTexture});let i=this.device.beginRenderPass({framebuffer:this.currentPositionFbo});this.interpolatePositionCommand.draw(i),i.end(),this.isPositionsUpToDate=!1,this.areClusterCentroidsUpToDate=!1}destroySimulationResources(){var t,i;(t=this.updatePositionCommand)==null||t.destroy(),this.updatePositionCommand=void 0,(i=this.updatePositionUniformStore)==null||i.destroy(),this.updatePositionUniformStore=void 0,this.updatePositionVertexCoordBuffer&&!this.updatePositionVertexCoordBuffer.destroyed&&this.updatePositionVertexCoordBuffer.destroy(),this.updatePositionVertexCoordBuffer=void 0,this.velocityFbo&&!this.velocityFbo.destroyed&&this.velocityFbo.destroy(),this.velocityFbo=void 0,this.velocityTexture&&!this.velocityTexture.destroyed&&this.velocityTexture.destroy(),this.velocityTexture=void 0}swapFbo(){if(!this.currentPositionTexture||this.currentPositionTexture.destroyed||!this.previousPositionTexture||this.previousPositionTexture.destroyed||!this.currentPositionFbo||this.currentPositionFbo.destroyed||!this.previousPositionFbo||this.previousPositionFbo.destroyed)return;let t=this.previousPositionTexture,i=this.previousPositionFbo;this.previousPositionTexture=this.currentPositionTexture,this.previousPositionFbo=this.currentPositionFbo,this.currentPositionTexture=t,this.currentPositionFbo=i,this.areClusterCentroidsUpToDate=!1}ensurePositionTextures(t){(!this.currentPositionTexture||this.currentPositionTexture.width!==t||this.currentPositionTexture.height!==t)&&(this.currentPositionTexture&&!this.currentPositionTexture.destroyed&&this.currentPositionTexture.destroy(),this.currentPositionFbo&&!this.currentPositionFbo.destroyed&&this.currentPositionFbo.destroy(),this.currentPositionTexture=this.device.createTexture({width:t,height:t,format:"rgba32float"}),this.currentPositionFbo=this.device.createFramebuffer({width:t,height:t,colorAttachments:[this.currentPositionTexture]})),(!this.previousPositionTexture||this.previousPositionTexture.width!==t||this.previousPositionTexture.height!==t)&&(this.previousPositionTexture&&!this.previousPositionTexture.destroyed&&this.previousPositionTexture.destroy(),this.previousPositionFbo&&!this.previousPositionFbo.destroyed&&this.previousPositionFbo.destroy(),this.previousPositionTexture=this.device.createTexture({width:t,height:t,format:"rgba32float"}),this.previousPositionFbo=this.device.createFramebuffer({width:t,height:t,colorAttachments:[this.previousPositionTexture]}))}writePositionTexture(t,i,r){t.copyImageData({data:i,bytesPerRow:q("rgba32float",r),mipLevel:0,x:0,y:0})}ensureUpdatePositionProgram(){let{device:t,config:i,store:r}=this;this.updatePositionVertexCoordBuffer||(this.updatePositionVertexCoordBuffer=t.createBuffer({data:new Float32Array([-1,-1,1,-1,-1,1,1,1])})),this.updatePositionUniformStore||(this.updatePositionUniformStore=new oe(t,{updatePositionUniforms:{uniformTypes:{friction:"f32",spaceSize:"f32"},defaultUniforms:{friction:i.simulationFriction,spaceSize:r.adjustedSpaceSize}}})),this.updatePositionCommand||(this.updatePositionCommand=new le(t,{fs:D3,vs:He,topology:"triangle-strip",vertexCount:4,attributes:{vertexCoord:this.updatePositionVertexCoordBuffer},bufferLayout:[{name:"vertexCoord",format:"float32x2"}],defines:{USE_UNIFORM_BUFFERS:!0},bindings:{updatePositionUniforms:this.updatePositionUniformStore.getManagedUniformBuffer("updatePositionUniforms")}}))}rescaleInitialNodePositions(){let{config:{spaceSize:t}}=this;if(!this.data.pointPositions||!t)return;let i=this.data.pointPositions,r=i.length/2,n=1/0,o=-1/0,s=1/0,a=-1/0;for(let x=0;x<i.length;x+=2){let v=i[x],T=i[x+1];gt(i,x/2)||(n=Math.min(n,v),o=Math.max(o,v),s=Math.min(s,T),a=Math.max(a,T))}if(!Number.isFinite(n)){this.scaleX=void 0,this.scaleY=void 0;return}let l=o-n,c=a-s,u=Math.max(l,c);if(u===0){let x=t/2;this.scaleX=v=>v-n+x,this.scaleY=v=>v-s+x;for(let v=0;v<r;v++)gt(i,v)||(this.data.pointPositions[v*2]=this.scaleX(i[v*2]),this.data.pointPositions[v*2+1]=this.scaleY(i[v*2+1]));return}if(u>t){this.scaleX=void 0,this.scaleY=void 0;return}let f=t*t*.001,d=r>f?t*Math.max(1.2,Math.sqrt(r)/t):t*.1,h=d/u,m=(t-d)/2,g=(u-l)/2*h+m,b=(u-c)/2*h+m;this.scaleX=x=>(x-n)*h+g,this.scaleY=x=>(x-s)*h+b;for(let x=0;x<r;x++)gt(i,x)||(this.data.pointPositions[x*2]=this.scaleX(i[x*2]),this.data.pointPositions[x*2+1]=this.scaleY(i[x*2+1]))}},If=class{constructor(t,i){this.eventTransform=Wi,this.behavior=u_().scaleExtent([.001,1/0]).on("start",r=>{var n,o;this.isRunning=!0;let s=!!r.sourceEvent;s&&(this.shouldEnableSimulationDuringZoomOverride=void 0),(o=(n=this.config).onZoomStart)==null||o.call(n,r,s)}).on("zoom",r=>{var n,o;this.eventTransform=r.transform;let{eventTransform:{x:s,y:a,k:l},store:{transform:c,screenSize:u}}=this,f=u[0],d=u[1];if(!f||!d)return;Ot.projection(c,f,d),Ot.translate(c,c,[s,a]),Ot.scale(c,c,[l,l]),Ot.translate(c,c,[f/2,d/2]),Ot.scale(c,c,[f/2,d/2]),Ot.scale(c,c,[1,-1]);let h=!!r.sourceEvent;(o=(n=this.config).onZoom)==null||o.call(n,r,h)}).on("end",r=>{var n,o;this.isRunning=!1;let s=!!r.sourceEvent;(o=(n=this.config).onZoomEnd)==null||o.call(n,r,s)}),this.isRunning=!1,this.shouldEnableSimulationDuringZoomOverride=void 0,this.store=t,this.config=i}getTransform(t,i,r=.1){if(t.length===0)return this.eventTransform;let{store:{screenSize:n}}=this,o=n[0],s=n[1],a=1/0,l=-1/0,c=1/0,u=-1/0;for(let _=0;_<t.length;_+=2){let w=t[_],A=t[_+1];!Number.isFinite(w)||!Number.isFinite(A)||(w<a&&(a=w),w>l&&(l=w),A<c&&(c=A),A>u&&(u=A))}if(!Number.isFinite(a)||!Number.isFinite(c))return this.eventTransform;let f=[this.store.scaleX(a),this.store.scaleX(l)],d=[this.store.scaleY(c),this.store.scaleY(u)];f[0]===f[1]&&(f[0]-=.5,f[1]+=.5),d[0]===d[1]&&(d[0]+=.5,d[1]-=.5);let h=o*(1-r*2)/(f[1]-f[0]),m=s*(1-r*2)/(d[0]-d[1]),g=X2(i??Math.min(h,m),...this.behavior.scaleExtent()),b=(f[1]+f[0])/2,x=(d[1]+d[0])/2,v=o/2-b*g,T=s/2-x*g;return Wi.translate(v,T).scale(g)}getDistanceToPoint(t){let{x:i,y:r,k:n}=this.eventTransform,o=this.getTransform(t,n),s=i-o.x,a=r-o.y;return Math.sqrt(s*s+a*a)}getMiddlePointTransform(t){if(!Number.isFinite(t[0])||!Number.isFinite(t[1]))return this.eventTransform;let{store:{screenSize:i},eventTransform:{x:r,y:n,k:o}}=this,s=i[0],a=i[1],l=(s/2-r)/o,c=(a/2-n)/o,u=this.store.scaleX(t[0]),f=this.store.scaleY(t[1]),d=(l+u)/2,h=(c+f)/2,m=1,g=s/2-d*m,b=a/2-h*m;return Wi.translate(g,b).scale(m)}convertScreenToSpacePosition(t){let{eventTransform:{x:i,y:r,k:n},store:{screenSize:o}}=this,s=o[0],a=o[1],l=(t[0]-i)/n,c=(t[1]-r)/n,u=[l,a-c];return u[0]-=(s-this.store.adjustedSpaceSize)/2,u[1]-=(a-this.store.adjustedSpaceSize)/2,u}convertSpaceToScreenPosition(t){let i=this.eventTransform.applyX(this.store.scaleX(t[0])),r=this.eventTransform.applyY(this.store.scaleY(t[1]));return[i,r]}convertSpaceToScreenRadius(t){let{config:{scalePointsOnZoom:i},store:{maxPointSize:r},eventTransform:{k:n}}=this,o=t*2;return i?o*=n:o*=Math.min(5,Math.max(1,n*.01)),Math.min(o,r)/2}},Mf=class{constructor(t,i,r){this.isActive=!1,this.behavior=l_().subject(n=>{if(!(this.transition.isActiveFor(Pe.Positions)||this.transition.isActiveFor(Pe.PointSizes)))return this.store.hoveredPoint&&!this.store.isSpaceKeyPressed?{x:n.x,y:n.y}:void 0}).on("start",n=>{var o,s;this.store.hoveredPoint&&(this.store.draggingPointIndex=this.store.hoveredPoint.index,this.isActive=!0,(s=(o=this.config).onDragStart)==null||s.call(o,n))}).on("drag",n=>{var o,s;(s=(o=this.config).onDrag)==null||s.call(o,n)}).on("end",n=>{var o,s;this.isActive=!1,this.store.draggingPointIndex=void 0,(s=(o=this.config).onDragEnd)==null||s.call(o,n)}),this.store=t,this.config=i,this.transition=r}},L3=500,g_=10,Ta=class{constructor(t,i,r){if(this.config=v_(),this.graph=new Tf(this.config),this.isReady=!1,this.requestAnimationFrameId=0,this.isRightClickMouse=!1,this._longPressStartX=0,this._longPressStartY=0,this._shouldSuppressNextClick=!1,this.store=new vf,this.zoomInstance=new If(this.store,this.config),this.transition=new Pf(this.config),this.dragInstance=new Mf(this.store,this.config,this.transition),this._findHoveredItemExecutionCount=0,this._isPointerOnCanvas=!1,this._lastMouseX=0,this._lastMouseY=0,this._lastCheckedMouseX=0,this._lastCheckedMouseY=0,this._shouldForceHoverDetection=!1,this._isFirstRenderAfterInit=!0,this.isPointPositionsUpdateNeeded=!1,this.isPointColorUpdateNeeded=!1,this.isPointSizeUpdateNeeded=!1,this.isPointShapeUpdateNeeded=!1,this.isPointImageIndicesUpdateNeeded=!1,this.isLinksUpdateNeeded=!1,this.isLinkColorUpdateNeeded=!1,this.isLinkWidthUpdateNeeded=!1,this.isLinkArrowUpdateNeeded=!1,this.isLinkStyleUpdateNeeded=!1,this.isPointClusterUpdateNeeded=!1,this.isForceManyBodyUpdateNeeded=!1,this.isForceLinkUpdateNeeded=!1,this.isForceCenterUpdateNeeded=!1,this.isPointImageSizesUpdateNeeded=!1,this.isForceCollisionReady=!1,this._isDestroyed=!1,i&&bf(this.config,i),r)this.deviceInitPromise=r,this.shouldDestroyDevice=!1;else{let o=document.createElement("canvas");this.deviceInitPromise=this.createDevice(o),this.shouldDestroyDevice=!0}let n=this.deviceInitPromise.then(async o=>{if(this._isDestroyed)return this.shouldDestroyDevice&&o.destroy(),o;this.device=o,this.isReady=!0;let s=this.validateDevice(o);r&&s.setProps({useDevicePixels:this.config.pixelRatio}),this.store.div=t;let a=s.canvas;if(a.parentNode!==this.store.div&&(a.parentNode&&a.parentNode.removeChild(a),this.store.div.appendChild(a)),this.addAttribution(),a.style.width="100%",a.style.height="100%",this.canvas=a,this.updateCanvasTouchAction(),await Promise.race([s.initialized,new Promise(u=>{setTimeout(u,500)})]),this._isDestroyed)return o;let l=this.canvas.clientWidth,c=this.canvas.clientHeight;return this.store.adjustSpaceSize(this.config.spaceSize,this.device.limits.maxTextureDimension2D),this.store.setWebGLMaxTextureSize(this.device.limits.maxTextureDimension2D),this.store.updateScreenSize(l,c),this.canvasD3Selection=ge(this.canvas).call(this.dragInstance.behavior).call(this.zoomInstance.behavior).on("pointerenter.cosmos",u=>{u.isPrimary&&(this._isPointerOnCanvas=!0,this._lastMouseX=u.clientX,this._lastMouseY=u.clientY)}).on("pointermove.cosmos",u=>{var f,d,h,m;if(u.isPrimary){if(this._isPointerOnCanvas=!0,this._lastMouseX=u.clientX,this._lastMouseY=u.clientY,this.currentEvent=u,this.updateMousePosition(u),this.isRightClickMouse=(u.buttons&2)!==0,this._longPressTimerId!==void 0){let g=Math.abs(u.clientX-this._longPressStartX),b=Math.abs(u.clientY-this._longPressStartY);(g>g_||b>g_)&&this.cancelLongPress()}(m=(h=this.config).onMouseMove)==null||m.call(h,(f=this.store.hoveredPoint)==null?void 0:f.index,(d=this.store.hoveredPoint)==null?void 0:d.position,this.currentEvent)}}).on("pointerleave.cosmos pointercancel.cosmos",u=>{u.isPrimary&&(this.cancelLongPress(),this._isPointerOnCanvas=!1,u.pointerType==="mouse"&&(this.currentEvent=u,this.store.hoveredPoint!==void 0&&this.config.onPointMouseOut&&this.config.onPointMouseOut(u),this.store.hoveredLinkIndex!==void 0&&this.config.onLinkMouseOut&&this.config.onLinkMouseOut(u),this.isRightClickMouse=!1,this.store.hoveredPoint=void 0,this.store.hoveredLinkIndex=void 0,this.updateCanvasCursor()))}).on("pointerdown.cosmos",u=>{u.isPrimary&&(this.currentEvent=u,this._shouldSuppressNextClick=!1,this._lastMouseX=u.clientX,this._lastMouseY=u.clientY,this.updateMousePosition(u),this.findHoveredItem(!0),u.pointerType!=="mouse"&&(this._longPressStartX=u.clientX,this._longPressStartY=u.clientY,this.cancelLongPress(),this._longPressTimerId=window.setTimeout(()=>{this._longPressTimerId=void 0,!this._isDestroyed&&(this.findHoveredItem(!0),this._shouldSuppressNextClick=!0,this.fireContextMenu(u))},L3)))}).on("pointerup.cosmos",u=>{u.isPrimary&&(this.cancelLongPress(),this.isRightClickMouse=(u.buttons&2)!==0)}).on("click.cosmos",this.onClick.bind(this)).on("contextmenu.cosmos",this.onContextMenu.bind(this)),ge(document).on("keydown.cosmos",u=>{u.code==="Space"&&(this.store.isSpaceKeyPressed=!0)}).on("keyup.cosmos",u=>{u.code==="Space"&&(this.store.isSpaceKeyPressed=!1)}),this.zoomInstance.behavior.on("start.detect",u=>{this.currentEvent=u}).on("zoom.detect",u=>{u.sourceEvent&&this.updateMousePosition(u.sourceEvent),this.currentEvent=u}).on("end.detect",u=>{this.currentEvent=u,this._shouldForceHoverDetection=!0}),this.dragInstance.behavior.on("start.detect",u=>{this.currentEvent=u,this.updateCanvasCursor()}).on("drag.detect",u=>{this.dragInstance.isActive&&this.updateMousePosition(u),this.currentEvent=u}).on("end.detect",u=>{this.currentEvent=u,this.updateCanvasCursor()}),(!this.config.enableZoom||!this.config.enableDrag)&&this.updateZoomDragBehaviors(),this.setZoomLevel(this.config.initialZoomLevel??1),this.store.maxPointSize=h_(o,this.config.pixelRatio),this.store.isSimulationRunning=this.config.enableSimulation,this.points=new Ef(o,this.config,this.store,this.graph),this.points.transition=this.transition,this.lines=new Rf(o,this.config,this.store,this.graph,this.points),this.config.enableSimulation&&(this.forceGravity=new ya(o,this.config,this.store,this.graph,this.points),this.forceCenter=new xa(o,this.config,this.store,this.graph,this.points),this.forceManyBody=new ba(o,this.config,this.store,this.graph,this.points),this.forceLinkIncoming=new wr(o,this.config,this.store,this.graph,this.points),this.forceLinkOutgoing=new wr(o,this.config,this.store,this.graph,this.points),this.forceMouse=new Sa(o,this.config,this.store,this.graph,this.points),this.forceCollision=new _a(o,this.config,this.store,this.graph,this.points)),this.clusters=new wf(o,this.config,this.store,this.graph,this.points),this.store.backgroundColor=xt(this.config.backgroundColor),this.store.setHoveredPointRingColor(this.config.hoveredPointRingColor),this.store.setFocusedPointRingColor(this.config.focusedPointRingColor),this.config.focusedPointIndex!==void 0&&this.store.setFocusedPoint(this.config.focusedPointIndex),this.store.setGreyoutPointColor(this.config.pointGreyoutColor),this.store.setOutlinedPointRingColor(this.config.outlinedPointRingColor),this.store.setHighlightedPointSet(this.config.highlightedPointIndices),this.store.setOutlinedPointSet(this.config.outlinedPointIndices),this.store.setHoveredLinkColor(this.config.hoveredLinkColor),this.store.updateLinkHoveringEnabled(this.config),this.config.showFPSMonitor&&(this.fpsMonitor=new va(this.canvas)),this.config.randomSeed!==void 0&&this.store.addRandomSeed(this.config.randomSeed),o}).catch(o=>{throw this.device=void 0,this.isReady=!1,console.error("Device initialization failed:",o),o});this.ready=n.then(()=>{})}get progress(){return this._isDestroyed?0:this.store.simulationProgress}get isSimulationRunning(){return this._isDestroyed?!1:this.store.isSimulationRunning}get maxPointSize(){return this._isDestroyed?0:this.store.maxPointSize}setConfig(t){if(this._isDestroyed||this.ensureDevice(()=>this.setConfig(t)))return;let i={...this.config};q2(this.config),bf(this.config,t),this.preserveInitOnlyFields(i),this.updateStateFromConfig(i)}setConfigPartial(t){if(this._isDestroyed||this.ensureDevice(()=>this.setConfigPartial(t)))return;let i={...this.config};bf(this.config,t,!0),this.preserveInitOnlyFields(i),this.updateStateFromConfig(i)}setPointPositions(t,i){var r;if(this._isDestroyed||this.ensureDevice(()=>this.setPointPositions(t,i)))return;this.graph.inputPointPositions=t,this.points.shouldSkipRescale=i,this.isPointPositionsUpdateNeeded=!0;let n=(r=this.points)==null?void 0:r.currentPositionTexture;n&&!n.destroyed&&this.transition.queue(Pe.Positions),this.isLinksUpdateNeeded=!0,this.isPointColorUpdateNeeded=!0,this.isPointSizeUpdateNeeded=!0,this.isPointShapeUpdateNeeded=!0,this.isPointImageIndicesUpdateNeeded=!0,this.isPointImageSizesUpdateNeeded=!0,this.isPointClusterUpdateNeeded=!0,this.isForceManyBodyUpdateNeeded=!0,this.isForceLinkUpdateNeeded=!0,this.isForceCenterUpdateNeeded=!0}setPointColors(t){this._isDestroyed||this.ensureDevice(()=>this.setPointColors(t))||(this.graph.inputPointColors=t,this.isPointColorUpdateNeeded=!0,this.transition.queue(Pe.PointColors))}getPointColors(){if(this._isDestroyed)return new Float32Array;if(this.graph.pointColors===void 0||this.graph.pointsNumber===void 0)return new Float32Array;let t=new Float32Array(this.graph.pointsNumber*4);for(let i=0;i<this.graph.pointsNumber;i++)for(let r=0;r<4;r++)t[i*4+r]=this.graph.getResolvedPointColorChannel(i,r);return t}setPointSizes(t){this._isDestroyed||this.ensureDevice(()=>this.setPointSizes(t))||(this.graph.inputPointSizes=t,this.isPointSizeUpdateNeeded=!0,this.transition.queue(Pe.PointSizes))}setPointShapes(t){this._isDestroyed||this.ensureDevice(()=>this.setPointShapes(t))||(this.graph.inputPointShapes=t,this.isPointShapeUpdateNeeded=!0)}setImageData(t){var i;this._isDestroyed||this.ensureDevice(()=>this.setImageData(t))||(this.graph.inputImageData=t,(i=this.points)==null||i.createAtlas())}setPointImageIndices(t){this._isDestroyed||this.ensureDevice(()=>this.setPointImageIndices(t))||(this.graph.inputPointImageIndices=t,this.isPointImageIndicesUpdateNeeded=!0)}setPointImageSizes(t){this._isDestroyed||this.ensureDevice(()=>this.setPointImageSizes(t))||(this.graph.inputPointImageSizes=t,this.isPointImageSizesUpdateNeeded=!0)}getPointSizes(){if(this._isDestroyed)return new Float32Array;if(this.graph.pointSizes===void 0||this.graph.pointsNumber===void 0)return new Float32Array;let t=new Float32Array(this.graph.pointsNumber);for(let i=0;i<this.graph.pointsNumber;i++)t[i]=this.graph.getResolvedPointSize(i);return t}setLinks(t){this._isDestroyed||this.ensureDevice(()=>this.setLinks(t))||(this.graph.inputLinks=t,this.isLinksUpdateNeeded=!0,this.isLinkColorUpdateNeeded=!0,this.isLinkWidthUpdateNeeded=!0,this.isLinkArrowUpdateNeeded=!0,this.isLinkStyleUpdateNeeded=!0,this.isForceLinkUpdateNeeded=!0)}setLinkColors(t){this._isDestroyed||this.ensureDevice(()=>this.setLinkColors(t))||(this.graph.inputLinkColors=t,this.isLinkColorUpdateNeeded=!0,this.transition.queue(Pe.LinkColors))}getLinkColors(){return this._isDestroyed?new Float32Array:this.graph.linkColors??new Float32Array}setLinkWidths(t){this._isDestroyed||this.ensureDevice(()=>this.setLinkWidths(t))||(this.graph.inputLinkWidths=t,this.isLinkWidthUpdateNeeded=!0,this.transition.queue(Pe.LinkWidths))}getLinkWidths(){return this._isDestroyed?new Float32Array:this.graph.linkWidths??new Float32Array}setLinkArrows(t){this._isDestroyed||this.ensureDevice(()=>this.setLinkArrows(t))||(this.graph.linkArrowsBoolean=t,this.isLinkArrowUpdateNeeded=!0)}setLinkStyles(t){this._isDestroyed||this.ensureDevice(()=>this.setLinkStyles(t))||(this.graph.inputLinkStyles=t,this.isLinkStyleUpdateNeeded=!0)}getLinkStyles(){return this._isDestroyed?new Float32Array:this.graph.linkStyles??new Float32Array}setLinkStrength(t){this._isDestroyed||this.ensureDevice(()=>this.setLinkStrength(t))||(this.graph.inputLinkStrength=t,this.isForceLinkUpdateNeeded=!0)}setPointClusters(t){this._isDestroyed||this.ensureDevice(()=>this.setPointClusters(t))||(this.graph.inputPointClusters=t,this.isPointClusterUpdateNeeded=!0)}setClusterPositions(t){this._isDestroyed||this.ensureDevice(()=>this.setClusterPositions(t))||(this.graph.inputClusterPositions=t,this.isPointClusterUpdateNeeded=!0)}setPointClusterStrength(t){this._isDestroyed||this.ensureDevice(()=>this.setPointClusterStrength(t))||(this.graph.inputClusterStrength=t,this.isPointClusterUpdateNeeded=!0)}setPinnedPoints(t){var i;this._isDestroyed||this.ensureDevice(()=>this.setPinnedPoints(t))||(this.graph.inputPinnedPoints=t&&t.length>0?t:void 0,(i=this.points)==null||i.updatePinnedStatus())}render(t,i){var r,n,o;if(this._isDestroyed||this.ensureDevice(()=>this.render(t,i)))return;this.graph.update();let{fitViewOnInit:s,fitViewDelay:a,fitViewPadding:l,fitViewDuration:c,fitViewByPointsInRect:u,fitViewByPointIndices:f,initialZoomLevel:d}=this.config;if(!this.graph.pointsNumber&&!this.graph.linksNumber){this.stopFrames(),ge(this.canvas).style("cursor",null),this.device&&(this.device.beginRenderPass({clearColor:this.store.backgroundColor,clearDepth:1,clearStencil:0}).end(),this.device.submit());return}this._isFirstRenderAfterInit&&s&&d===void 0&&(this._fitViewOnInitTimeoutID=window.setTimeout(()=>{f?this.fitViewByPointIndices(f,c,l):u?this.setZoomTransformByPointPositions(new Float32Array(this.flatten(u)),c,void 0,l):this.fitView(c,l)},a)),this.transition.setDurationOverride(i),this.update(t),this.transition.isPendingFor(Pe.Positions)&&this.store.isSimulationRunning&&this.transition.duration>0&&!this._isFirstRenderAfterInit&&(this.store.isSimulationRunning=!1,(n=(r=this.config).onSimulationPause)==null||n.call(r));let h=(o=this.points)==null?void 0:o.currentPositionTexture;this.transition.isPending&&(!h||h.destroyed)&&this.transition.abort(),this.transition.start(),this._shouldForceHoverDetection=!0,this.startFrames(),this._isFirstRenderAfterInit=!1}zoomToPointByIndex(t,i=700,r=3,n=!0,o=!0){if(this._isDestroyed||this.ensureDevice(()=>this.zoomToPointByIndex(t,i,r,n,o))||!this.device||!this.points||!this.canvasD3Selection)return;let s=this.graph.pointPositions;if(!s||gt(s,t))return;let{store:{screenSize:a}}=this,l=We(this.device,this.points.currentPositionFbo);if(t===void 0)return;let c=l[t*4+0],u=l[t*4+1];if(c===void 0||u===void 0)return;let f=this.zoomInstance.getDistanceToPoint([c,u]),d=n?r:Math.max(this.getZoomLevel(),r);if(f<Math.min(a[0],a[1]))this.setZoomTransformByPointPositions(new Float32Array([c,u]),i,d,void 0,o);else{this.zoomInstance.shouldEnableSimulationDuringZoomOverride=o;let h=this.zoomInstance.getTransform([c,u],d),m=this.zoomInstance.getMiddlePointTransform([c,u]);this.canvasD3Selection.transition().ease(kl).duration(i/2).call(this.zoomInstance.behavior.transform,m).transition().ease(Fl).duration(i/2).call(this.zoomInstance.behavior.transform,h)}}zoom(t,i=0,r=!0){this._isDestroyed||this.setZoomLevel(t,i,r)}setZoomLevel(t,i=0,r=!0){this._isDestroyed||this.ensureDevice(()=>this.setZoomLevel(t,i,r))||this.canvasD3Selection&&(this.zoomInstance.shouldEnableSimulationDuringZoomOverride=r,i===0?this.canvasD3Selection.call(this.zoomInstance.behavior.scaleTo,t):this.canvasD3Selection.transition().duration(i).call(this.zoomInstance.behavior.scaleTo,t))}getZoomLevel(){return this._isDestroyed?0:this.zoomInstance.eventTransform.k}getPointPositions(){if(this._isDestroyed||!this.device||!this.points)return[];if(this.graph.pointsNumber===void 0)return[];let t=[],i=We(this.device,this.points.currentPositionFbo);t.length=this.graph.pointsNumber*2;for(let r=0;r<this.graph.pointsNumber;r+=1){if(this.graph.pointPositions&&gt(this.graph.pointPositions,r)){t[r*2]=NaN,t[r*2+1]=NaN;continue}let n=i[r*4+0],o=i[r*4+1];n!==void 0&&o!==void 0&&(t[r*2]=n,t[r*2+1]=o)}return t}getClusterPositions(){return this._isDestroyed||!this.device||!this.clusters?[]:this.graph.pointClusters===void 0||this.clusters.clusterCount===void 0?[]:this.clusters.getCentroidPositions()}fitView(t=250,i=.1,r=!0){this._isDestroyed||this.ensureDevice(()=>this.fitView(t,i,r))||this.setZoomTransformByPointPositions(this.getFitViewPositions(),t,void 0,i,r)}fitViewByPointIndices(t,i=250,r=.1,n=!0){if(this._isDestroyed||this.ensureDevice(()=>this.fitViewByPointIndices(t,i,r,n)))return;let o=this.getFitViewPositions(),s=new Float32Array(t.length*2);for(let[a,l]of t.entries())s[a*2]=o[l*2],s[a*2+1]=o[l*2+1];this.setZoomTransformByPointPositions(s,i,void 0,r,n)}fitViewByPointPositions(t,i=250,r=.1,n=!0){this._isDestroyed||this.ensureDevice(()=>this.fitViewByPointPositions(t,i,r,n))||this.setZoomTransformByPointPositions(new Float32Array(t),i,void 0,r,n)}setZoomTransformByPointPositions(t,i=250,r,n=.1,o=!0){var s;if(this._isDestroyed||this.ensureDevice(()=>this.setZoomTransformByPointPositions(t,i,r,n,o)))return;this.zoomInstance.shouldEnableSimulationDuringZoomOverride=o,this.resizeCanvas();let a=this.zoomInstance.getTransform(t,r,n);(s=this.canvasD3Selection)==null||s.transition().ease(Nl).duration(i).call(this.zoomInstance.behavior.transform,a)}findPointsInRect(t){if(this._isDestroyed)return[];if(!this.isReady||!this.device||!this.points)return[];let i=this.store.screenSize[1];return this.store.searchArea=[[t[0][0],i-t[1][1]],[t[1][0],i-t[0][1]]],this.points.findPointsInRect()?d_(We(this.device,this.points.searchFbo)):[]}findPointsInPolygon(t){if(this._isDestroyed)return[];if(!this.isReady||!this.device||!this.points)return[];if(t.length<3)return console.warn("Polygon path requires at least 3 points to form a polygon."),[];let i=this.store.screenSize[1],r=t.map(([n,o])=>[n,i-o]);return this.points.updatePolygonPath(r),this.points.findPointsInPolygon()?d_(We(this.device,this.points.searchFbo)):[]}getNeighboringPointIndices(t){return this._isDestroyed?[]:this.graph.getNeighboringPointIndices(t)}getConnectedLinkIndices(t){return this._isDestroyed?[]:this.graph.getConnectedLinkIndices(t)}getConnectedPointIndices(t){return this._isDestroyed?[]:this.graph.getConnectedPointIndices(t)}spaceToScreenPosition(t){return this._isDestroyed?[0,0]:this.zoomInstance.convertSpaceToScreenPosition(t)}screenToSpacePosition(t){return this._isDestroyed?[0,0]:this.zoomInstance.convertScreenToSpacePosition(t)}spaceToScreenRadius(t){return this._isDestroyed?0:this.zoomInstance.convertSpaceToScreenRadius(t)}getPointRadiusByIndex(t){var i;if(this._isDestroyed||this.graph.pointSizes===void 0&&this.graph.pointImageSizes===void 0||t<0||t>=(this.graph.pointsNumber??0))return;let r=this.graph.getResolvedPointSize(t),n=(i=this.graph.pointImageSizes)==null?void 0:i[t];return Math.max(r,n??0)}trackPointPositionsByIndices(t){this._isDestroyed||this.ensureDevice(()=>this.trackPointPositionsByIndices(t))||this.points&&this.points.trackPointsByIndices(t)}getTrackedPointPositionsMap(){return this._isDestroyed||!this.points?new Map:this.points.getTrackedPositionsMap()}getTrackedPointPositionsArray(){return this._isDestroyed||!this.points?[]:this.points.getTrackedPositionsArray()}getSampledPointPositionsMap(){return this._isDestroyed||!this.points?new Map:this.points.getSampledPointPositionsMap()}getSampledPoints(){return this._isDestroyed||!this.points?{indices:[],positions:[]}:this.points.getSampledPoints()}getSampledLinkPositionsMap(){return this._isDestroyed||!this.lines?new Map:this.lines.getSampledLinkPositionsMap()}getSampledLinks(){return this._isDestroyed||!this.lines?{indices:[],positions:[],angles:[]}:this.lines.getSampledLinks()}getScaleX(){if(!(this._isDestroyed||!this.points))return this.points.scaleX}getScaleY(){if(!(this._isDestroyed||!this.points))return this.points.scaleY}start(t=1){var i,r;if(this._isDestroyed||this.ensureDevice(()=>this.start(t))||!this.config.enableSimulation||!this.graph.pointsNumber)return;this.transition.isActiveFor(Pe.Positions)&&this.transition.end(!0);let n=this.store.isSimulationRunning;this.store.isSimulationRunning=!0,this.store.simulationProgress=0,this.store.alpha=t,n||(r=(i=this.config).onSimulationStart)==null||r.call(i)}stop(){var t,i;if(this._isDestroyed)return;let r=this.store.isSimulationRunning||this.store.alpha>0||this.store.simulationProgress>0;this.store.isSimulationRunning=!1,this.store.simulationProgress=0,this.store.alpha=0,r&&((i=(t=this.config).onSimulationEnd)==null||i.call(t))}pause(){var t,i;this._isDestroyed||this.ensureDevice(()=>this.pause())||this.store.isSimulationRunning&&(this.store.isSimulationRunning=!1,(i=(t=this.config).onSimulationPause)==null||i.call(t))}unpause(){var t,i;this._isDestroyed||this.ensureDevice(()=>this.unpause())||this.config.enableSimulation&&(this.store.isSimulationRunning||(this.transition.isActiveFor(Pe.Positions)&&this.transition.end(!0),this.store.isSimulationRunning=!0,(i=(t=this.config).onSimulationUnpause)==null||i.call(t)))}step(){this._isDestroyed||this.ensureDevice(()=>this.step())||this.config.enableSimulation&&this.store.pointsTextureSize&&this.runSimulationStep(!0)}destroy(){var t,i,r,n,o,s,a,l,c,u,f,d,h,m;this._isDestroyed||(this._isDestroyed=!0,this.isReady=!1,this.transition.abort(),window.clearTimeout(this._fitViewOnInitTimeoutID),this.cancelLongPress(),this.stopFrames(),this.canvasD3Selection&&this.canvasD3Selection.on(".cosmos",null).on(".drag",null).on(".zoom",null),ge(document).on(".cosmos",null),(t=this.zoomInstance)!=null&&t.behavior&&this.zoomInstance.behavior.on("start.detect",null).on("zoom.detect",null).on("end.detect",null),(i=this.dragInstance)!=null&&i.behavior&&this.dragInstance.behavior.on("start.detect",null).on("drag.detect",null).on("end.detect",null),(r=this.fpsMonitor)==null||r.destroy(),(n=this.points)==null||n.destroy(),(o=this.lines)==null||o.destroy(),(s=this.clusters)==null||s.destroy(),(a=this.forceGravity)==null||a.destroy(),(l=this.forceCenter)==null||l.destroy(),(c=this.forceManyBody)==null||c.destroy(),(u=this.forceLinkIncoming)==null||u.destroy(),(f=this.forceLinkOutgoing)==null||f.destroy(),(d=this.forceMouse)==null||d.destroy(),(h=this.forceCollision)==null||h.destroy(),this.device&&this.shouldDestroyDevice&&(this.device.beginRenderPass({clearColor:this.store.backgroundColor,clearDepth:1,clearStencil:0}).end(),this.device.submit(),this.device.destroy()),this.shouldDestroyDevice&&this.canvas&&this.canvas.parentNode&&this.canvas.parentNode.removeChild(this.canvas),this.attributionDivElement&&this.attributionDivElement.parentNode&&this.attributionDivElement.parentNode.removeChild(this.attributionDivElement),(m=document.getElementById("gl-bench-style"))==null||m.remove(),this.canvasD3Selection=void 0,this.attributionDivElement=void 0)}create(){var t,i,r,n,o;this._isDestroyed||this.ensureDevice(()=>this.create())||this.points&&this.lines&&(this.isPointPositionsUpdateNeeded&&this.points.updatePositions(),this.isPointColorUpdateNeeded&&this.points.updateColor(),this.isPointSizeUpdateNeeded&&this.points.updateSize(),this.isPointShapeUpdateNeeded&&this.points.updateShape(),this.isPointImageIndicesUpdateNeeded&&this.points.updateImageIndices(),this.isPointImageSizesUpdateNeeded&&this.points.updateImageSizes(),this.isLinksUpdateNeeded&&this.lines.updatePointsBuffer(),this.isLinkColorUpdateNeeded&&this.lines.updateColor(),this.isLinkWidthUpdateNeeded&&this.lines.updateWidth(),this.isLinkArrowUpdateNeeded&&this.lines.updateArrow(),this.isLinkStyleUpdateNeeded&&this.lines.updateStyle(),this.isForceManyBodyUpdateNeeded&&((t=this.forceManyBody)==null||t.create()),(this.isForceManyBodyUpdateNeeded||this.isPointSizeUpdateNeeded)&&(this.isForceCollisionReady=!1),this.isForceLinkUpdateNeeded&&((i=this.forceLinkIncoming)==null||i.create(Af.INCOMING),(r=this.forceLinkOutgoing)==null||r.create(Af.OUTGOING)),this.isForceCenterUpdateNeeded&&((n=this.forceCenter)==null||n.create()),this.isPointClusterUpdateNeeded&&((o=this.clusters)==null||o.create()),this.isPointPositionsUpdateNeeded=!1,this.isPointColorUpdateNeeded=!1,this.isPointSizeUpdateNeeded=!1,this.isPointShapeUpdateNeeded=!1,this.isPointImageIndicesUpdateNeeded=!1,this.isPointImageSizesUpdateNeeded=!1,this.isLinksUpdateNeeded=!1,this.isLinkColorUpdateNeeded=!1,this.isLinkWidthUpdateNeeded=!1,this.isLinkArrowUpdateNeeded=!1,this.isLinkStyleUpdateNeeded=!1,this.isPointClusterUpdateNeeded=!1,this.isForceManyBodyUpdateNeeded=!1,this.isForceLinkUpdateNeeded=!1,this.isForceCenterUpdateNeeded=!1)}flatten(t){return t.flat()}pair(t){let i=new Array(t.length/2);for(let r=0;r<t.length/2;r++)i[r]=[t[r*2],t[r*2+1]];return i}preserveInitOnlyFields(t){this.config.initialZoomLevel=t.initialZoomLevel,this.config.randomSeed=t.randomSeed,this.config.attribution=t.attribution}getFitViewPositions(){return this.transition.isActive&&this.transition.isActiveFor(Pe.Positions)&&this.graph.pointPositions&&this.graph.pointPositions?new Float32Array(this.graph.pointPositions):new Float32Array(this.getPointPositions())}updateStateFromConfig(t){var i,r,n,o,s,a,l,c,u,f,d,h,m,g,b;this.applyEnableSimulationConfigChange(t),t.pointDefaultColor!==this.config.pointDefaultColor&&(this.graph.updatePointColor(),(i=this.points)==null||i.updateColor()),t.pointDefaultSize!==this.config.pointDefaultSize&&(this.graph.updatePointSize(),(r=this.points)==null||r.updateSize()),t.pointDefaultShape!==this.config.pointDefaultShape&&(this.graph.updatePointShape(),(n=this.points)==null||n.updateShape()),t.linkDefaultColor!==this.config.linkDefaultColor&&(this.graph.updateLinkColor(),(o=this.lines)==null||o.updateColor()),t.linkDefaultWidth!==this.config.linkDefaultWidth&&(this.graph.updateLinkWidth(),(s=this.lines)==null||s.updateWidth()),t.linkDefaultArrows!==this.config.linkDefaultArrows&&(this.graph.updateArrows(),(a=this.lines)==null||a.updateArrow()),t.linkDefaultStyle!==this.config.linkDefaultStyle&&(this.graph.updateLinkStyles(),(l=this.lines)==null||l.updateStyle()),t.linkColorInterpolateFromEndpoints!==this.config.linkColorInterpolateFromEndpoints&&((c=this.points)==null||c.updateColor()),t.linkBlending!==this.config.linkBlending&&((u=this.lines)==null||u.updateLinkBlending()),(t.curvedLinkSegments!==this.config.curvedLinkSegments||t.curvedLinks!==this.config.curvedLinks)&&((f=this.lines)==null||f.updateCurveLineGeometry()),t.backgroundColor!==this.config.backgroundColor&&(this.store.backgroundColor=xt(this.config.backgroundColor)),t.hoveredPointRingColor!==this.config.hoveredPointRingColor&&this.store.setHoveredPointRingColor(this.config.hoveredPointRingColor),t.focusedPointRingColor!==this.config.focusedPointRingColor&&this.store.setFocusedPointRingColor(this.config.focusedPointRingColor),t.pointGreyoutColor!==this.config.pointGreyoutColor&&this.store.setGreyoutPointColor(this.config.pointGreyoutColor),t.hoveredLinkColor!==this.config.hoveredLinkColor&&this.store.setHoveredLinkColor(this.config.hoveredLinkColor),t.focusedPointIndex!==this.config.focusedPointIndex&&this.store.setFocusedPoint(this.config.focusedPointIndex),t.outlinedPointRingColor!==this.config.outlinedPointRingColor&&this.store.setOutlinedPointRingColor(this.config.outlinedPointRingColor),t.highlightedPointIndices!==this.config.highlightedPointIndices&&this.store.setHighlightedPointSet(this.config.highlightedPointIndices),t.outlinedPointIndices!==this.config.outlinedPointIndices&&this.store.setOutlinedPointSet(this.config.outlinedPointIndices),(t.highlightedPointIndices!==this.config.highlightedPointIndices||t.outlinedPointIndices!==this.config.outlinedPointIndices)&&((d=this.points)==null||d.updatePointStatus()),t.highlightedLinkIndices!==this.config.highlightedLinkIndices&&((h=this.lines)==null||h.updateLinkStatus()),(t.simulationCollisionRadius!==this.config.simulationCollisionRadius||t.simulationCollisionPadding!==this.config.simulationCollisionPadding||(this.config.simulationCollisionRadius===void 0||this.config.simulationCollisionRadius===0)&&t.pointDefaultSize!==this.config.pointDefaultSize)&&(this.isForceCollisionReady=!1),t.pixelRatio!==this.config.pixelRatio&&(m=this.device)!=null&&m.canvasContext&&(this.device.canvasContext.setProps({useDevicePixels:this.config.pixelRatio}),this.store.maxPointSize=h_(this.device,this.config.pixelRatio)),t.spaceSize!==this.config.spaceSize&&(this.store.adjustSpaceSize(this.config.spaceSize,((g=this.device)==null?void 0:g.limits.maxTextureDimension2D)??4096),this.resizeCanvas(!0),this.update(this.store.isSimulationRunning?this.store.alpha:0)),t.showFPSMonitor!==this.config.showFPSMonitor&&(this.config.showFPSMonitor?this.fpsMonitor=new va(this.canvas):((b=this.fpsMonitor)==null||b.destroy(),this.fpsMonitor=void 0)),(t.enableZoom!==this.config.enableZoom||t.enableDrag!==this.config.enableDrag)&&this.updateZoomDragBehaviors(),(t.onLinkClick!==this.config.onLinkClick||t.onLinkContextMenu!==this.config.onLinkContextMenu||t.onLinkMouseOver!==this.config.onLinkMouseOver||t.onLinkMouseOut!==this.config.onLinkMouseOut)&&this.store.updateLinkHoveringEnabled(this.config)}applyEnableSimulationConfigChange(t){var i,r,n,o,s;if(t.enableSimulation===this.config.enableSimulation)return;if(this.config.enableSimulation){this.transition.end(!0),this.transition.dequeue(Pe.Positions),this.ensureSimulationModules(),(i=this.points)==null||i.ensureSimulationResources(),this.isForceManyBodyUpdateNeeded=!0,this.isForceLinkUpdateNeeded=!0,this.isForceCenterUpdateNeeded=!0,this.create(),this.initPrograms(),this.store.simulationProgress=0,this.store.alpha=1,this.store.isSimulationRunning=!0,this._shouldForceHoverDetection=!0,(n=(r=this.config).onSimulationStart)==null||n.call(r);return}let a=this.store.isSimulationRunning||this.store.alpha>0||this.store.simulationProgress>0;this.store.isSimulationRunning=!1,this.store.alpha=0,this.store.simulationProgress=0,this._shouldForceHoverDetection=!0,a&&((s=(o=this.config).onSimulationEnd)==null||s.call(o)),this.destroySimulationModules()}ensureDevice(t){return this.isReady?!1:(this.ready.then(()=>{this._isDestroyed||t()}).catch(i=>{console.error("Device initialization failed",i)}),!0)}validateDevice(t){let i=t.canvasContext;if(i===null||i.type==="offscreen-canvas")throw new Error("Device must have an HTMLCanvasElement canvas context. OffscreenCanvas and compute-only devices are not supported.");return i}async createDevice(t){return await bc.createDevice({type:"webgl",adapters:[gu],createCanvasContext:{canvas:t,useDevicePixels:this.config.pixelRatio,autoResize:!0,width:void 0,height:void 0}})}update(t=this.store.alpha){let{graph:i}=this;this.store.pointsTextureSize=Math.ceil(Math.sqrt(i.pointsNumber??0)),this.store.linksTextureSize=Math.ceil(Math.sqrt((i.linksNumber??0)*2)),this.create(),this.initPrograms(),this.store.alpha=t}runSimulationStep(t=!1){var i,r,n,o,s,a,l,c,u,f,d,h,m,g,b,x,v,T,_,w,A,I,z,N,U,H,O,Q,S,F,D;let{config:{simulationGravity:W,simulationCenter:Y,simulationCollision:j,enableSimulation:$},store:{isSimulationRunning:te}}=this;if(!$)return;this.isRightClickMouse&&this.config.enableRightClickRepulsion&&((i=this.points)==null||i.swapFbo(),(r=this.forceMouse)==null||r.run(),(n=this.points)==null||n.updatePosition());let ne=this.zoomInstance.shouldEnableSimulationDuringZoomOverride??this.config.enableSimulationDuringZoom;(t||te&&!(this.zoomInstance.isRunning&&!ne))&&(W&&((o=this.points)==null||o.swapFbo(),(s=this.forceGravity)==null||s.run(),(a=this.points)==null||a.updatePosition()),Y&&((l=this.points)==null||l.swapFbo(),(c=this.forceCenter)==null||c.run(),(u=this.points)==null||u.updatePosition()),(f=this.points)==null||f.swapFbo(),(d=this.forceManyBody)==null||d.run(),(h=this.points)==null||h.updatePosition(),this.store.linksTextureSize&&((m=this.points)==null||m.swapFbo(),(g=this.forceLinkIncoming)==null||g.run(),(b=this.points)==null||b.updatePosition(),(x=this.points)==null||x.swapFbo(),(v=this.forceLinkOutgoing)==null||v.run(),(T=this.points)==null||T.updatePosition()),(this.graph.pointClusters||this.graph.clusterPositions)&&((_=this.points)==null||_.swapFbo(),(w=this.clusters)==null||w.run(),(A=this.points)==null||A.updatePosition()),j&&(this.isForceCollisionReady||((I=this.forceCollision)==null||I.create(),(z=this.forceCollision)==null||z.initPrograms(),this.isForceCollisionReady=!0),(N=this.points)==null||N.swapFbo(),(U=this.forceCollision)==null||U.run(),(H=this.points)==null||H.updatePosition()),this.store.alpha+=this.store.addAlpha(this.config.simulationDecay),this.isRightClickMouse&&this.config.enableRightClickRepulsion&&(this.store.alpha=Math.max(this.store.alpha,.1)),this.store.simulationProgress=Math.sqrt(Math.min(1,Sf/this.store.alpha)),(F=(S=this.config).onSimulationTick)==null||F.call(S,this.store.alpha,(O=this.store.hoveredPoint)==null?void 0:O.index,(Q=this.store.hoveredPoint)==null?void 0:Q.position)),(D=this.points)==null||D.trackPoints()}initPrograms(){var t,i,r,n,o,s;this._isDestroyed||!this.points||!this.lines||!this.clusters||(this.points.initPrograms(),this.lines.initPrograms(),(t=this.forceGravity)==null||t.initPrograms(),(i=this.forceManyBody)==null||i.initPrograms(),(r=this.forceCenter)==null||r.initPrograms(),(n=this.forceLinkIncoming)==null||n.initPrograms(),(o=this.forceLinkOutgoing)==null||o.initPrograms(),(s=this.forceMouse)==null||s.initPrograms(),this.clusters.initPrograms())}ensureSimulationModules(){!this.device||!this.points||(this.forceGravity||(this.forceGravity=new ya(this.device,this.config,this.store,this.graph,this.points)),this.forceCenter||(this.forceCenter=new xa(this.device,this.config,this.store,this.graph,this.points)),this.forceManyBody||(this.forceManyBody=new ba(this.device,this.config,this.store,this.graph,this.points)),this.forceLinkIncoming||(this.forceLinkIncoming=new wr(this.device,this.config,this.store,this.graph,this.points)),this.forceLinkOutgoing||(this.forceLinkOutgoing=new wr(this.device,this.config,this.store,this.graph,this.points)),this.forceMouse||(this.forceMouse=new Sa(this.device,this.config,this.store,this.graph,this.points)),this.forceCollision||(this.forceCollision=new _a(this.device,this.config,this.store,this.graph,this.points)))}destroySimulationModules(){var t,i,r,n,o,s,a,l;(t=this.forceGravity)==null||t.destroy(),this.forceGravity=void 0,(i=this.forceCenter)==null||i.destroy(),this.forceCenter=void 0,(r=this.forceManyBody)==null||r.destroy(),this.forceManyBody=void 0,(n=this.forceLinkIncoming)==null||n.destroy(),this.forceLinkIncoming=void 0,(o=this.forceLinkOutgoing)==null||o.destroy(),this.forceLinkOutgoing=void 0,(s=this.forceMouse)==null||s.destroy(),this.forceMouse=void 0,(a=this.forceCollision)==null||a.destroy(),this.forceCollision=void 0,this.isForceCollisionReady=!1,(l=this.points)==null||l.destroySimulationResources()}frame(){if(this._isDestroyed)return;let{store:{alpha:t,isSimulationRunning:i}}=this;t<Sf&&i&&this.end(),this.requestAnimationFrameId=window.requestAnimationFrame(r=>{this.renderFrame(r),this._isDestroyed||this.frame()})}renderFrame(t){var i,r,n,o,s,a,l,c,u,f,d;if(this._isDestroyed||!this.store.pointsTextureSize)return;let h=t??performance.now();(i=this.fpsMonitor)==null||i.begin(),this.resizeCanvas();let m=this.transition.isActiveFor(Pe.Positions),g=this.transition.isActiveFor(Pe.PointColors),b=this.transition.isActiveFor(Pe.PointSizes),x=this.transition.isActiveFor(Pe.LinkColors),v=this.transition.isActiveFor(Pe.LinkWidths);if(this.transition.isActive&&(this.transition.step(),m&&((r=this.points)==null||r.interpolatePosition(this.transition.progress),(n=this.points)==null||n.trackPoints())),(o=this.points)==null||o.setTransitionProgress(this.transition.progress,g,b,m),(s=this.lines)==null||s.setTransitionProgress(this.transition.progress,x,v,m),this.dragInstance.isActive||this.findHoveredItem(),this.runSimulationStep(!1),this.device){let T=this.store.backgroundColor??[0,0,0,1],_=this.device.beginRenderPass({clearColor:T,clearDepth:1,clearStencil:0}),{config:{renderLinks:w}}=this;w!==!1&&this.store.linksTextureSize&&this.graph.linksNumber&&this.graph.linksNumber>0&&((a=this.lines)==null||a.draw(_)),(l=this.points)==null||l.draw(_),this.dragInstance.isActive&&((c=this.points)==null||c.swapFbo(),(u=this.points)==null||u.drag(),(f=this.points)==null||f.trackPoints()),_.end(),this.device.submit()}(d=this.fpsMonitor)==null||d.end(h),this.currentEvent=void 0}stopFrames(){this.requestAnimationFrameId&&(window.cancelAnimationFrame(this.requestAnimationFrameId),this.requestAnimationFrameId=0)}startFrames(){this._isDestroyed||(this.stopFrames(),this.frame())}end(){var t,i;this.store.isSimulationRunning=!1,this.store.simulationProgress=1,(i=(t=this.config).onSimulationEnd)==null||i.call(t),this._shouldForceHoverDetection=!0}onClick(t){var i,r,n,o,s,a,l,c,u,f;if(this._shouldSuppressNextClick){this._shouldSuppressNextClick=!1;return}(o=(n=this.config).onClick)==null||o.call(n,(i=this.store.hoveredPoint)==null?void 0:i.index,(r=this.store.hoveredPoint)==null?void 0:r.position,t),this.store.hoveredPoint?(a=(s=this.config).onPointClick)==null||a.call(s,this.store.hoveredPoint.index,this.store.hoveredPoint.position,t):this.store.hoveredLinkIndex!==void 0?(c=(l=this.config).onLinkClick)==null||c.call(l,this.store.hoveredLinkIndex,t):(f=(u=this.config).onBackgroundClick)==null||f.call(u,t)}updateMousePosition(t){if(!t)return;let i=t.offsetX??t.x,r=t.offsetY??t.y;i===void 0||r===void 0||(this.store.mousePosition=this.zoomInstance.convertScreenToSpacePosition([i,r]),this.store.screenMousePosition=[i,this.store.screenSize[1]-r])}onContextMenu(t){t.preventDefault(),this.cancelLongPress(),this._shouldSuppressNextClick=!0,this.fireContextMenu(t)}cancelLongPress(){this._longPressTimerId!==void 0&&(window.clearTimeout(this._longPressTimerId),this._longPressTimerId=void 0)}fireContextMenu(t){var i,r,n,o,s,a,l,c,u,f;(o=(n=this.config).onContextMenu)==null||o.call(n,(i=this.store.hoveredPoint)==null?void 0:i.index,(r=this.store.hoveredPoint)==null?void 0:r.position,t),this.store.hoveredPoint?(a=(s=this.config).onPointContextMenu)==null||a.call(s,this.store.hoveredPoint.index,this.store.hoveredPoint.position,t):this.store.hoveredLinkIndex!==void 0?(c=(l=this.config).onLinkContextMenu)==null||c.call(l,this.store.hoveredLinkIndex,t):(f=(u=this.config).onBackgroundContextMenu)==null||f.call(u,t)}resizeCanvas(t=!1){var i,r,n,o;if(this._isDestroyed)return;let s=this.canvas.clientWidth,a=this.canvas.clientHeight,[l,c]=this.store.screenSize;if(t||l!==s||c!==a){let{k:u}=this.zoomInstance.eventTransform,f=this.zoomInstance.convertScreenToSpacePosition([l/2,c/2]);this.store.updateScreenSize(s,a),(i=this.canvasD3Selection)==null||i.call(this.zoomInstance.behavior.transform,this.zoomInstance.getTransform(f,u)),(r=this.points)==null||r.updateSampledPointsGrid(),(n=this.lines)==null||n.updateSampledLinksGrid(),this.store.isLinkHoveringEnabled&&((o=this.lines)==null||o.updateLinkIndexFbo())}}updateZoomDragBehaviors(){var t,i,r,n;this.config.enableDrag?(t=this.canvasD3Selection)==null||t.call(this.dragInstance.behavior):(i=this.canvasD3Selection)==null||i.call(this.dragInstance.behavior).on(".drag",null),this.config.enableZoom?(r=this.canvasD3Selection)==null||r.call(this.zoomInstance.behavior):(n=this.canvasD3Selection)==null||n.call(this.zoomInstance.behavior).on("wheel.zoom",null),this.updateCanvasTouchAction()}updateCanvasTouchAction(){this.canvas.style.touchAction=this.config.enableDrag||this.config.enableZoom?"none":""}findHoveredItem(t=!1){var i,r,n,o,s,a,l,c,u,f;if(this._isDestroyed||!t&&!this._isPointerOnCanvas||this.transition.isActiveFor(Pe.PointSizes))return;if(!t&&this._findHoveredItemExecutionCount<H2){this._findHoveredItemExecutionCount+=1;return}let d=Math.abs(this._lastMouseX-this._lastCheckedMouseX),h=Math.abs(this._lastMouseY-this._lastCheckedMouseY),m=d>f_||h>f_;if(!t&&!m&&!this._shouldForceHoverDetection)return;this._lastCheckedMouseX=this._lastMouseX,this._lastCheckedMouseY=this._lastMouseY,this._shouldForceHoverDetection=!1,this._findHoveredItemExecutionCount=0;let g=this.findHoveredPoint(),b={mouseover:!1,mouseout:!1};if(this.graph.linksNumber&&this.store.isLinkHoveringEnabled?b=this.findHoveredLine():this.store.hoveredLinkIndex!==void 0&&(b.mouseout=!0,this.store.hoveredLinkIndex=void 0),g.mouseout&&((r=(i=this.config).onPointMouseOut)==null||r.call(i,this.currentEvent)),b.mouseout&&((o=(n=this.config).onLinkMouseOut)==null||o.call(n,this.currentEvent)),g.mouseover&&this.store.hoveredPoint){let x=this.store.hoveredPoint.index;(c=(l=this.config).onPointMouseOver)==null||c.call(l,this.store.hoveredPoint.index,this.store.hoveredPoint.position,this.currentEvent,((s=this.store.highlightedPointSet)==null?void 0:s.has(x))??!1,((a=this.store.outlinedPointSet)==null?void 0:a.has(x))??!1)}b.mouseover&&this.store.hoveredLinkIndex!==void 0&&((f=(u=this.config).onLinkMouseOver)==null||f.call(u,this.store.hoveredLinkIndex)),this.updateCanvasCursor()}findHoveredPoint(){if(this._isDestroyed||!this.device||!this.points)return{mouseover:!1,mouseout:!1};this.points.findHoveredPoint();let t=!1,i=!1,r=We(this.device,this.points.hoveredFbo,0,0,2,2),n=r[0],o=r[1],s=r[2],a=r[3];return o>0?((this.store.hoveredPoint===void 0||this.store.hoveredPoint.index!==n)&&(t=!0),this.store.hoveredPoint={index:n,position:[s,a]}):(this.store.hoveredPoint&&(i=!0),this.store.hoveredPoint=void 0),{mouseover:t,mouseout:i}}findHoveredLine(){if(this._isDestroyed||!this.lines)return{mouseover:!1,mouseout:!1};if(this.store.hoveredPoint){let n=this.store.hoveredLinkIndex!==void 0;return n&&(this.store.hoveredLinkIndex=void 0),{mouseover:!1,mouseout:n}}this.lines.findHoveredLine();let t=!1,i=!1;if(!this.device)return{mouseover:!1,mouseout:!1};let r=We(this.device,this.lines.hoveredLineIndexFbo)[0];return r>=0?(this.store.hoveredLinkIndex!==r&&(t=!0),this.store.hoveredLinkIndex=r):(this.store.hoveredLinkIndex!==void 0&&(i=!0),this.store.hoveredLinkIndex=void 0),{mouseover:t,mouseout:i}}updateCanvasCursor(){let{hoveredPointCursor:t,hoveredLinkCursor:i}=this.config;this.dragInstance.isActive?ge(this.canvas).style("cursor","grabbing"):this.store.hoveredPoint?!this.config.enableDrag||this.store.isSpaceKeyPressed?ge(this.canvas).style("cursor",t):ge(this.canvas).style("cursor","grab"):this.store.isLinkHoveringEnabled&&this.store.hoveredLinkIndex!==void 0?ge(this.canvas).style("cursor",i):ge(this.canvas).style("cursor",null)}addAttribution(){var t;this.config.attribution&&(this.attributionDivElement=document.createElement("div"),this.attributionDivElement.style.cssText=`
      user-select: none;
      position: absolute;
      bottom: 0;
      right: 0;
      color: var(--cosmosgl-attribution-color);
      margin: 0 0.6rem 0.6rem 0;
      font-size: 0.7rem;
      font-family: inherit;
    `,this.attributionDivElement.innerHTML=Y2(this.config.attribution,{ALLOWED_TAGS:["a","b","i","em","strong","span","div","p","br","img"],ALLOWED_ATTR:["href","target","class","id","style","src","alt","title"]}),(t=this.store.div)==null||t.appendChild(this.attributionDivElement))}};var T_=e=>Math.min(Math.max(e,1)**.35,3.5),kf=e=>Math.min(Math.max(e,.4),400);var Ae=4096,H3=10,V3=4,Pa=class{constructor(t,i){this.host=t;this.measure();let r=new Promise(s=>this.aimed=s),n=new Promise(s=>this.colored=s),o=()=>new Promise(s=>requestAnimationFrame(s));this.ready=Promise.all([r,n]).then(o).then(o).then(()=>{}),this.graph=new Ta(t,{enableSimulation:!1,backgroundColor:i,spaceSize:Ae,rescalePositions:!1,transitionDuration:0,fitViewOnInit:!1,renderLinks:!1,enableDrag:!1,attribution:"",pixelRatio:Math.min(devicePixelRatio||1,2),onZoom:({transform:s})=>{this.transform={x:s.x,y:s.y,k:s.k},this.magnification!==this.graph.config.pointSizeScale&&this.graph.setConfigPartial({pointSizeScale:this.magnification}),this.keepDrawing(),Math.abs(s.k/this.goal-1)<.001&&this.aimed();for(let a of this.moved)a()}}),this.resized=new ResizeObserver(()=>{this.measure(),this.keepDrawing();let s=[.4*this.side/Ae,400*this.side/Ae];this.graph.zoomInstance?.behavior?.scaleExtent?.(s);for(let a of this.moved)a()}),this.resized.observe(t)}host;graph;moved=[];resized;colors=new Float32Array;grid=null;transform={x:0,y:0,k:1};goal=1;left=0;until=0;ticking=0;aimed=()=>{};colored=()=>{};ready;width=0;height=0;get loaded(){return this.graph.ready}get magnification(){return T_(this.transform.k*Ae/this.side)}get side(){return .92*Math.max(Math.min(this.width,this.height),1)}get camera(){let[t,i]=this.toMap([this.width/2,this.height/2]);return{x:t,y:i,zoom:this.transform.k*Ae/this.side}}setPoints(t,i,r){this.grid=r;let n=new Float32Array(t.length);for(let o=0;o<t.length;o+=2)n[o]=t[o]*Ae,n[o+1]=(1-t[o+1])*Ae;this.graph.setPointPositions(n,!0),this.graph.setPointSizes(i)}setColors(t){this.colors=t,this.graph.setPointColors(t),this.graph.render(),this.keepDrawing(),this.graph.ready.then(()=>this.colored(),()=>{})}setGround(t){this.graph.setConfigPartial({backgroundColor:t}),this.keepDrawing()}setCamera({x:t,y:i,zoom:r},n=0){let o=kf(r)*this.side/Ae,s=new Float32Array([t*Ae,(1-i)*Ae]);this.goal=o,this.keepDrawing(n),(n||!this.jump(s,o))&&this.graph.setZoomTransformByPointPositions(s,n,o,0,!1)}jump(t,i){let{canvasD3Selection:r,zoomInstance:n}=this.graph,o=n?.getTransform?.(t,i,0);return!r||!n?.behavior?.transform||!o?!1:(r.call(n.behavior.transform,o),!0)}measure(){this.width=this.host.clientWidth,this.height=this.host.clientHeight}fit([t,i,r,n]){let[o,s]=[Math.max(r-t,.001),Math.max(n-i,.001)],a=.92*Math.min(this.width/o,this.height/s);return{x:(t+r)/2,y:(i+n)/2,zoom:kf(a/this.side)}}toScreen([t,i]){let{x:r,y:n,k:o}=this.transform;return[o*((this.width-Ae)/2+t*Ae)+r,o*((this.height-Ae)/2+i*Ae)+n]}toMap([t,i]){let{x:r,y:n,k:o}=this.transform;return[((t-r)/o-(this.width-Ae)/2)/Ae,((i-n)/o-(this.height-Ae)/2)/Ae]}onMove(t){this.moved.push(t)}onClick(t){this.host.addEventListener("click",i=>{let r=this.pixel(i);t(this.pick(r),r)})}onHover(t){this.host.addEventListener("pointermove",i=>{if(i.buttons||i.pointerType==="touch")return;let r=this.pixel(i);t(this.pick(r),r)}),this.host.addEventListener("pointerleave",()=>t(-1,[0,0]))}pixel(t){let i=this.host.getBoundingClientRect();return[t.clientX-i.left,t.clientY-i.top]}pick(t){let i=H3/(this.transform.k*Ae);return this.grid?.nearest(this.toMap(t),i,r=>this.colors[4*r+3]>0)??-1}keepDrawing(t=0){if(this.left=V3,this.until=Math.max(this.until,performance.now()+t),this.ticking)return;let i=this.graph,r=()=>{if(this.left--,this.left>0||performance.now()<this.until){this.ticking=requestAnimationFrame(r);return}this.ticking=0,i.stopFrames?.()};this.ticking=requestAnimationFrame(r),this.graph.ready.then(()=>i.startFrames?.(),()=>{})}destroy(){cancelAnimationFrame(this.ticking),this.resized.disconnect(),this.graph.destroy()}};var Ca=class{constructor(t){this.places=t;let i=t.length/2,r=new Uint32Array(i);for(let o=0;o<i;o++)r[o]=it(t[2*o],256)+256*it(t[2*o+1],256),this.starts[r[o]+1]++;for(let o=0;o<256*256;o++)this.starts[o+1]+=this.starts[o];let n=this.starts.slice();this.order=new Uint32Array(i);for(let o=0;o<i;o++)this.order[n[r[o]]++]=o}places;starts=new Uint32Array(256*256+1);order;sums=new Uint32Array(513*513);setVisible(t){let r=new Uint32Array(263169);for(let n=0;n<this.order.length;n++){if(!t(n))continue;let[o,s]=[it(this.places[2*n],512),it(this.places[2*n+1],512)];r[(s+1)*513+o+1]++}for(let n=1;n<513;n++){let o=0;for(let s=1;s<513;s++)o+=r[n*513+s],r[n*513+s]=o+r[(n-1)*513+s]}this.sums=r}count(t,i,r,n){let[s,a]=[it(t,512),it(r,512)+1],[l,c]=[it(i,512)*513,(it(n,512)+1)*513];return this.sums[c+a]-this.sums[c+s]-this.sums[l+a]+this.sums[l+s]}nearest([t,i],r,n){let[o,s]=[-1,r*r];for(let a=it(i-r,256);a<=it(i+r,256);a++){let l=a*256,c=this.starts[l+it(t+r,256)+1];for(let u=this.starts[l+it(t-r,256)];u<c;u++){let f=this.order[u],d=(this.places[2*f]-t)**2+(this.places[2*f+1]-i)**2;d<s&&n(f)&&([o,s]=[f,d])}}return o}},it=(e,t)=>Math.max(0,Math.min(t-1,Math.floor(e*t)));var Vn='Inter, "Segoe UI", "Helvetica Neue", Arial, "Liberation Sans", "DejaVu Sans", sans-serif';var Ra=[8,4],C_=4,A_=[330,44],$3=18,X3=12,Y3=3,j3=[0,-.35,.35,-.7,.7],G3=[0,-1,1,-2,2,-3,3],K3=5,w_=new Map,Aa=null;function q3(e,t){let i=`${t} ${e}`,r=w_.get(i);if(r!==void 0)return r;Aa??=document.createElement("canvas").getContext("2d");let n=.55*t*e.length;return Aa&&(Aa.font=`600 ${t}px ${Vn}`,n=Aa.measureText(e).width),w_.set(i,n),n}function E_(e,t,i,r,n){let{zoom:o}=t.camera,s=$3+X3*Math.max(Math.log2(o),0),a=Math.sqrt(e[0]?.size||1),l=[...e].sort((f,d)=>+(d.name===n)-+(f.name===n)||d.size-f.size),c=[[t.width-A_[0],0,t.width,A_[1]]],u=[];for(let f of l){if(u.length>=s)break;let{x:d,y:h,label:m}=f;if(m===null||d===null||h===null||f.name!==n&&f.size*o**2<Math.max(r,Y3))continue;let[g,b]=t.toScreen([d,h]);if(g<0||b<0||g>t.width||b>t.height)continue;let x=Math.round(11+4*Math.sqrt(f.size)/a),v=J3(m),T=Math.max(...v.map(A=>q3(A,x))),_=v.length*x*1.14,w=Z3([g,b],T,_,{canvas:t,grid:i,taken:c});w&&(c.push(wa(w,T+Ra[0],_+Ra[1])),u.push({community:f,lines:v,x:w[0],y:w[1],size:x,width:T,height:_}))}return u}var wa=([e,t],i,r)=>[e-i/2,t-r/2,e+i/2,t+r/2];function Z3([e,t],i,r,{canvas:n,grid:o,taken:s}){let[a,l]=[null,1/0],c=f=>o.count(...n.toMap([f[0],f[1]]),...n.toMap([f[2],f[3]])),u=c(wa([e,t],i,r));for(let f of G3)for(let d of j3){let h=[R_(e+d*i,i,n.width),R_(t+f*r,r,n.height)],m=wa(h,i+Ra[0],r+Ra[1]);if(s.some(x=>Q3(m,x)))continue;let g=Math.hypot(h[0]-e,h[1]-t)/(K3*r),b=c(wa(h,i,r))/(u+1)+g;b<l&&([a,l]=[h,b])}return a}var R_=(e,t,i)=>Math.max(t/2+C_,Math.min(i-t/2-C_,e)),Q3=(e,t)=>e[0]<t[2]&&t[0]<e[2]&&e[1]<t[3]&&t[1]<e[3];function J3(e){let t=e.split(/\s+/).filter(Boolean),i="";for(let r=0;r<t.length;r++){if(i&&i.length+t[r].length>=20)return[i,Hn(t.slice(r).join(" "),28)];i=i?`${i} ${t[r]}`:t[r]}return[Hn(i,36)]}function Hn(e,t){let i=[...e];return i.length>t?`${i.slice(0,t-1).join("").trimEnd()}\u2026`:e}var eR=0;function P(e,t,i,r,n,o){t||(t={});var s,a,l=t;if("ref"in l)for(a in l={},t)a=="ref"?s=t[a]:l[a]=t[a];var c={type:e,props:l,key:i,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,constructor:void 0,__v:--eR,__i:-1,__u:0,__source:n,__self:o};if(typeof e=="function"&&(s=e.defaultProps))for(a in s)l[a]===void 0&&(l[a]=s[a]);return ae.vnode&&ae.vnode(c),c}function I_({canvas:e,points:t,labels:i,own:r,rings:n,hover:o,radius:s,polygon:a}){let l=i.some(({community:u})=>u.name===r),c=u=>e.toScreen([t.places[2*u],t.places[2*u+1]]);return P("svg",{class:"map-marks","aria-hidden":"true",width:e.width,height:e.height,children:[a&&P("path",{class:"map-polygon",d:`${M_(a.map(u=>e.toScreen(u)))}Z`}),n.map(u=>{let[f,d]=c(u);return P("circle",{class:"map-ring",cx:f,cy:d,r:s+3.5},u)}),o>=0&&P("circle",{class:"map-ring hover",cx:c(o)[0],cy:c(o)[1],r:s+5}),i.map(({community:u,lines:f,x:d,y:h,size:m})=>P("text",{class:l&&u.name!==r?"pale":"","data-community":u.name,x:d,y:h,"font-size":m,"font-weight":"600","font-family":Vn,"text-anchor":"middle",children:f.map((g,b)=>P("tspan",{x:d,y:h+(b-(f.length-1)/2)*m*1.14+.35*m,children:g},b))},u.name))]})}var M_=e=>e.map(([t,i],r)=>`${r?"L":"M"}${t.toFixed(1)} ${i.toFixed(1)}`).join("");function D_({canvas:e,onDone:t}){let[i,r]=me([]),n=ei(null),o=s=>{let a=s.currentTarget.getBoundingClientRect();return[s.clientX-a.left,s.clientY-a.top]};return P("svg",{class:"map-lasso",width:e.width,height:e.height,onPointerDown:s=>{s.currentTarget.setPointerCapture(s.pointerId),n.current=[o(s)]},onPointerMove:s=>{n.current&&(n.current.push(o(s)),r([...n.current]))},onPointerUp:()=>{t((n.current??[]).map(s=>e.toMap(s))),n.current=null},children:i.length>1&&P("path",{class:"map-polygon",d:M_(i)})})}var k_=14;function F_({points:e,choice:t,legend:i,levels:r,onChange:n}){return P("form",{class:"map-panel",onSubmit:o=>o.preventDefault(),"aria-label":"Colours and filters",children:[P("label",{children:["Colour",P("select",{name:"color",value:t.color,onChange:o=>n({...t,color:o.currentTarget.value,only:[]}),children:[P("optgroup",{label:"Community",children:r.map(o=>P("option",{value:o,children:Br(e,o)},o))}),["topics","papers"].map(o=>{let s=e.header.overlays.filter(a=>a.of===o);return s.length>0&&P("optgroup",{label:o==="topics"?"Of the community":"Of the paper",children:s.map(({name:a,title:l})=>P("option",{value:a,children:l},a))},o)})]})]}),P(tR,{choice:t,legend:i,onChange:n}),P(iR,{points:e,choice:t,onChange:n}),e.header.left_out.length>0&&P("details",{children:[P("summary",{children:"Colours left out"}),P("ul",{children:e.header.left_out.map(({title:o,reason:s})=>P("li",{children:[P("b",{children:o}),": ",s,"."]},o))})]}),P("details",{children:[P("summary",{children:"How this map was made"}),P("ul",{children:e.header.how.map(o=>P("li",{children:[o,"."]},o))}),P("p",{children:"A flat map cannot keep all neighbours, so distances between far regions mean little. Labels are at the middle of the papers of a community, moved where they would hide dots."})]})]})}function tR({choice:e,legend:t,onChange:i}){let[r,n]=me(!1),o=r?t.entries:t.entries.slice(0,k_),s=e.selection&&"community"in e.selection?e.selection.community:"",a=({key:u,community:f})=>f?f.name===s:e.only.includes(u),l=u=>{let{key:f,community:d}=u;i(d?{...e,selection:a(u)?null:{community:d.name}}:{...e,only:a(u)?e.only.filter(h=>h!==f):[...e.only,f]})},c=t.entries.some(a);return P("section",{class:"map-legend","aria-label":"Legend",children:[P("p",{class:"note",children:t.hint}),P("ul",{class:c?"filtered":"",children:o.map(u=>P("li",{children:P("button",{type:"button","aria-pressed":a(u),onClick:()=>l(u),title:u.community?.terms?.join(", "),children:[P("svg",{width:"12",height:"12","aria-hidden":"true",children:P("circle",{cx:"6",cy:"6",r:"5.5",fill:u.color})}),P("span",{class:u.community&&!u.community.label?"unnamed":"",children:u.text}),P("small",{children:u.papers.toLocaleString("en")})]})},u.key))}),t.entries.length>k_&&P("button",{type:"button",class:"quiet",onClick:()=>n(!r),children:r?"Fewer":`All ${t.entries.length.toLocaleString("en")}`}),P("p",{class:"note",children:"Click to show these papers alone; the number counts papers."})]})}function iR({points:e,choice:t,onChange:i}){let[r,n]=e.years;if(!(n>r))return null;let[o,s]=t.years??[r,n],a=(l,c)=>{let u=l<=r&&c>=n;i({...t,years:u?null:[l,c]})};return P("fieldset",{class:"map-years",children:[P("legend",{children:["Years ",P("output",{children:o===s?o:`${o} to ${s}`})]}),P("label",{children:["from",P("input",{type:"range",name:"from",min:r,max:n,value:o,onInput:l=>a(Math.min(Number(l.currentTarget.value),s),s)})]}),P("label",{children:["to",P("input",{type:"range",name:"to",min:r,max:n,value:s,onInput:l=>a(o,Math.max(Number(l.currentTarget.value),o))})]})]})}var Nf={light:{ground:"#ffffff",ink:"#1d2530",soft:"#59636f"},dark:{ground:"#1c2328",ink:"#e8edf0",soft:"#a3b1ba"}},Rr=58,B_=230,rR=[.85,1,1.35,1.9],N_=2e4;function O_({canvas:e,points:t,colors:i,labels:r,legend:n,theme:o,radius:s,title:a,footer:l},c){let{ink:u,soft:f,ground:d}=Nf[o];for(let x of U_(e,t,i)){let[v,T]=e.toScreen([t.places[2*x],t.places[2*x+1]]),[_,w,A,I]=i.subarray(4*x,4*x+4),z=`rgb(${[_,w,A].map(N=>Math.round(255*N)).join(",")})`;c.circle(v,T+Rr,s*rR[t.size[x]],z,Number(I.toFixed(2)))}for(let{lines:x,x:v,y:T,size:_}of r)x.forEach((w,A)=>{let I=T+Rr+(A-(x.length-1)/2)*_*1.14+.35*_;c.text(w,v,I,{size:_,color:u,weight:600,anchor:"middle",halo:d})});c.text(a,16,28,{size:20,color:u,weight:700}),c.text(l,16,47,{size:12,color:f});let h=e.width+16,m=Math.max(Math.floor((e.height-40)/21),1);n.entries.slice(0,m).forEach(({text:x,color:v},T)=>{let _=Rr+34+21*T;c.circle(h+6,_-4,6,v,1),c.text(Hn(x,30),h+20,_,{size:12,color:u})});let g=n.entries.length-m,b=n.entries.some(({community:x})=>x)?n.title:n.hint;c.text(Hn(g>0?`${b}; ${g} more`:b,38),h,Rr+10,{size:12,color:f})}function U_(e,t,i){let[r,n]=e.toMap([0,0]),[o,s]=e.toMap([e.width,e.height]),a=[];for(let l=0;l<t.count;l++){let[c,u]=[t.places[2*l],t.places[2*l+1]];c>=r&&c<=o&&u>=n&&u<=s&&i[4*l+3]>0&&a.push(l)}return a}function L_(e){let[t,i]=[e.canvas.width+B_,e.canvas.height+Rr],r=document.createElement("canvas");[r.width,r.height]=[2*t,2*i];let n=r.getContext("2d");n&&(n.scale(2,2),n.fillStyle=Nf[e.theme].ground,n.fillRect(0,0,t,i),O_(e,{circle:(o,s,a,l,c)=>{n.globalAlpha=c,n.fillStyle=l,n.beginPath(),n.arc(o,s,a,0,7),n.fill(),n.globalAlpha=1},text:(o,s,a,{size:l,color:c,weight:u=400,anchor:f="start",halo:d})=>{n.font=`${u} ${l}px ${Vn}`,n.textAlign=f==="middle"?"center":"left",d&&(Object.assign(n,{strokeStyle:d,lineWidth:3.5,lineJoin:"round"}),n.strokeText(o,s,a)),n.fillStyle=c,n.fillText(o,s,a)}}),r.toBlob(o=>o&&Nr("map.png",o),"image/png"))}function z_(e){let t=U_(e.canvas,e.points,e.colors).length;if(t>N_){let[o,s]=[N_,t].map(a=>a.toLocaleString("en"));return`An SVG holds up to ${o} papers; ${s} are in view: zoom in, or save a PNG.`}let[i,r]=[e.canvas.width+B_,e.canvas.height+Rr],n=[`<svg xmlns="http://www.w3.org/2000/svg" width="${i}" height="${r}" viewBox="0 0 ${i} ${r}">`,`<rect width="100%" height="100%" fill="${Nf[e.theme].ground}"/>`];return O_(e,{circle:(o,s,a,l,c)=>n.push(`<circle cx="${o.toFixed(1)}" cy="${s.toFixed(1)}" r="${a.toFixed(1)}" fill="${l}" opacity="${c}"/>`),text:(o,s,a,{size:l,color:c,weight:u=400,anchor:f="start",halo:d})=>{let h=d?` stroke="${d}" stroke-width="3.5" stroke-linejoin="round" paint-order="stroke"`:"";n.push(`<text x="${s.toFixed(1)}" y="${a.toFixed(1)}" font-family="sans-serif" font-size="${l}" font-weight="${u}" text-anchor="${f}" fill="${c}"${h}>${nR(o)}</text>`)}}),Nr("map.svg",new Blob([...n,"</svg>"],{type:"image/svg+xml"})),""}var nR=e=>e.replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;");function oR(e,t,i){let r=!1;for(let n=0,o=e.length-1;n<e.length;o=n++){let[s,a]=e[n],[l,c]=e[o];a>i!=c>i&&t<(l-s)*(i-a)/(c-a)+s&&(r=!r)}return r}function W_(e,t,i){let r=e.map(([u])=>u),n=e.map(([,u])=>u),[o,s]=[Math.min(...r),Math.max(...r)],[a,l]=[Math.min(...n),Math.max(...n)],c=[];for(let u=0;u<t.length/2;u++){let[f,d]=[t[2*u],t[2*u+1]];f<o||f>s||d<a||d>l||!i(u)||oR(e,f,d)&&c.push(u)}return c}function H_(e){let t=5e-4,i=e;do i=Bf(e,t),t*=1.6;while(i.length>60);return i.map(([r,n])=>[Number(r.toFixed(4)),Number(n.toFixed(4))])}function Bf(e,t){if(e.length<4)return e;let[i,r]=[e[0],e[e.length-1]],[n,o]=[0,0];for(let a=1;a<e.length-1;a++){let l=sR(e[a],i,r);l>o&&([n,o]=[a,l])}return o<=t?[i,r]:[...Bf(e.slice(0,n+1),t).slice(0,-1),...Bf(e.slice(n),t)]}function sR([e,t],[i,r],[n,o]){let[s,a]=[n-i,o-r],l=Math.hypot(s,a);return l?Math.abs(s*(r-t)-(i-e)*a)/l:Math.hypot(e-i,t-r)}var V_=e=>e.map(t=>t.join(",")).join(";");function $_(e){let t=e.split(";").map(r=>r.split(",").map(Number));return t.length>2&&t.every(r=>r.length===2&&r.every(Number.isFinite))?t:null}var aR=6,lR=2;function X_({field:e,choice:t,found:i,points:r,texts:n,shown:o,onChange:s,onFly:a}){let l=i?i.rows.filter(u=>o[u]):[],c=ei(!1);return Xe(()=>{c.current&&l[0]!==void 0&&a(l[0]),c.current=!1},[i]),P("div",{class:"map-search",role:"search",children:[P("input",{ref:e,type:"search",name:"q","aria-label":"Search papers on the map",placeholder:"Search papers on the map",value:t.q,autocomplete:"off",spellcheck:!1,onInput:u=>{c.current=!1,s({...t,q:u.currentTarget.value})},onKeyDown:u=>{u.key==="Enter"&&(i&&l[0]!==void 0?a(l[0]):c.current=!0)}}),t.q.trim().length>=lR&&P("p",{class:"note",role:"status",children:i?cR(i,l.length):"Searching\u2026"}),n&&l.length>0&&P("ul",{class:"map-found","aria-label":"Papers found",children:l.slice(0,aR).map(u=>P("li",{children:P("button",{type:"button",onClick:()=>a(u),dir:"auto",children:[n.title(u)," ",P("small",{children:r.year[u]||""})]})},u))})]})}function cR(e,t){if(e.error)return e.error;if(!e.matches)return"No paper matches.";let i=e.seen<e.matches?`, the first ${e.seen.toLocaleString("en")} of them looked for here`:"";return`${yi(e.matches,"paper")} found${i}; ${t.toLocaleString("en")} on the map.`}var Y_="meso";function Hi(e){let t=e.header.levels.map(r=>r.name),i=t.includes(Y_)?Y_:e.header.level;return[i,...t.filter(r=>r!==i)]}function j_(e,t){let i=Hi(t);return{color:[...i,...t.header.overlays.map(o=>o.name)].find(o=>o===e.get("color"))??i[0],only:(e.get("only")??"").split(",").filter(Boolean).map(Number).filter(Number.isInteger),selection:uR(e.get("sel")??"",t),q:e.get("q")??"",years:fR(e.get("year")??"",t)}}function uR(e,t){let i=$_(e);return i?{polygon:i}:t.header.levels.some(n=>n.communities.some(({name:o})=>o===e))?{community:e}:null}function fR(e,t){let[i,r]=e.split("-").map(Number),[n,o]=t.years;return!i||!r||i>r||i<=n&&r>=o?null:[Math.max(i,n),Math.min(r,o)]}function Of(e){let[t,i,r]=(e.get("cam")??"").split(",").map(Number);return t!==void 0&&i!==void 0&&r&&[t,i,r].every(Number.isFinite)?{x:t,y:i,zoom:r}:null}function G_(e,t,i,r){let{selection:n}=e,o={run:i,color:e.color===r?"":e.color,cam:t?`${t.x.toFixed(4)},${t.y.toFixed(4)},${t.zoom.toFixed(3)}`:"",sel:n?"polygon"in n?V_(n.polygon):n.community:"",q:e.q,year:e.years?e.years.join("-"):"",only:e.only.join(",")};return new URLSearchParams(Object.entries(o).filter(([,a])=>a)).toString().replaceAll("%2C",",").replaceAll("%3B",";")}var $n=20,K_=200;function Z_({points:e,texts:t,rows:i,whole:r,isSelected:n,found:o,source:s,choice:a,onClear:l,onPoint:c,onFly:u}){let[f,d]=me("received"),[h,m]=me(!1),[g,b]=me(0);Xe(()=>b(0),[i.length,f,h]);let x=Oe(()=>mR(i,e,t,f,h),[i,e,t,f,h]),v=Math.max(Math.ceil(i.length/$n),1),T=x.slice(g*$n,(g+1)*$n),_=Hi(e)[0],{weight:w}=e.header,A=N=>{m(N===f?!h:N==="title"),d(N)},I=(N,U)=>P("th",{"aria-sort":f===N?h?"ascending":"descending":void 0,children:P("button",{type:"button",class:"quiet",onClick:()=>A(N),children:[U,f===N?h?" \u2191":" \u2193":""]})}),z=()=>{if(!t)return;let N=["id","title","year","journal","community","label",...w==="none"?[]:[`${w} received`,"cited by"]],U=x.map(H=>{let O=e.community(H,_);return[t.get("id",H),t.get("title",H),e.year[H]||null,t.get("venue",H),O?.name??null,O?.label??null,...w==="none"?[]:[e.received[H],e.cited[H]]]});Nr("papers.csv",new Blob([Hd(N,U)],{type:"text/csv"}))};return P("section",{class:"map-table","aria-label":n?"Selected papers":"Papers shown",children:[P("h2",{children:P("span",{"data-count":i.length,role:"status",children:[i.length.toLocaleString("en")," of ",yi(r,"paper")," ",n?"selected":o?"found":"shown"]})}),P("p",{class:"map-actions",children:[n&&P("button",{type:"button",onClick:l,children:"Clear selection"}),P("button",{type:"button",onClick:z,disabled:!t,children:"CSV"}),s.communityAddress&&a.selection&&"community"in a.selection&&P("a",{href:s.communityAddress(a.selection.community),children:"About this community"}),s.cypherAddress&&t&&P(pR,{points:e,texts:t,rows:i,choice:a,isSelected:n,address:s.cypherAddress})]}),i.length===0?P("p",{class:"note",children:"No paper: change the filters, or press Escape."}):P("table",{children:[P("thead",{children:P("tr",{children:[I("title","title"),I("year","year"),w==="none"?null:I("received",`${w} received`)]})}),P("tbody",{children:T.map(N=>P("tr",{onPointerEnter:()=>c(N),onPointerLeave:()=>c(-1),children:[P("td",{children:[P(hR,{row:N,texts:t,source:s,onFly:u,onPoint:c}),P("small",{children:[t?.get("venue",N),dR(e,N,_)].filter(Boolean).join(" \xB7 ")})]}),P("td",{children:e.year[N]||""}),w==="none"?null:P("td",{class:"number",children:Uf(e,N)})]},N))})]}),v>1&&P("nav",{class:"map-pages","aria-label":"Pages of the table",children:[P("button",{type:"button",disabled:g===0,onClick:()=>b(g-1),"aria-label":"Previous page",children:"\u2039"}),P("span",{children:[(g*$n+1).toLocaleString("en")," to ",Math.min((g+1)*$n,i.length).toLocaleString("en")]}),P("button",{type:"button",disabled:g+1>=v,onClick:()=>b(g+1),"aria-label":"Next page",children:"\u203A"})]})]})}var dR=(e,t,i)=>{let r=e.community(t,i);return r?Zi(r):""};function hR({row:e,texts:t,source:i,onFly:r,onPoint:n}){if(!t)return P("span",{children:"\u2026"});let o=t.title(e);return P("span",{class:"map-title",dir:"auto",children:[i.paperAddress?P("a",{href:i.paperAddress(t.get("id",e)),onFocus:()=>n(e),children:o}):o," ",P("button",{type:"button",class:"quiet",onClick:()=>r(e),"aria-label":`Show ${o} on the map`,children:"show"})]})}function pR({texts:e,rows:t,choice:i,isSelected:r,address:n}){let{selection:o,only:s,years:a}=i;if(!r)return null;if(o&&"community"in o&&!s.length&&!a){let c=[`MATCH (p:Paper)-[:IN_COMMUNITY]->(c:Community {name: ${q_(o.community)}})`,"RETURN p.id, p.title, p.year"].join(`
`);return P("a",{href:n(c),children:"Open as Cypher"})}if(t.length>K_)return P("small",{children:["Open as Cypher: up to ",K_," papers, or a whole community"]});let l=t.map(c=>q_(e.get("id",c))).join(", ");return P("a",{href:n(`MATCH (p:Paper)
WHERE p.id IN [${l}]
RETURN p.id, p.title, p.year`),children:"Open as Cypher"})}var q_=e=>`'${e.replaceAll("\\","\\\\").replaceAll("'","\\'")}'`;function mR(e,t,i,r,n){let o=n?1:-1;if(r==="title"&&i){let a=new Map(e.map(c=>[c,i.title(c)])),l=new Intl.Collator("en").compare;return[...e].sort((c,u)=>o*l(a.get(c),a.get(u))||c-u)}if(r==="received"&&!n)return e;let s=r==="year"?t.year:t.received;return[...e].sort((a,l)=>o*(s[a]-s[l])||l-a)}var gR=250,Xn=1.5,Q_=.15,J_=400,xR=5,_R=60,yR=[.85,1,1.35,1.9];function ey({source:e,onReady:t,onEmpty:i}){let[r,n]=me(null),[o,s]=me(null),[a,l]=me(""),c=Oe(()=>{let g=document.createElement("div");return g.className="map-canvas",g},[]),[u,f]=me(null),[d,h]=me(typeof WebGL2RenderingContext>"u");Fr(()=>{if(d)return;let g=new Pa(c,iy(c));return f(g),g.loaded.catch(()=>{f(null),h(!0)}),()=>g.destroy()},[]),Fr(()=>{e.readPoints().then(g=>g.byteLength?n(new go(g)):i?.()).catch(g=>l(`The map cannot be read: ${g.message}`))},[e]);let m=()=>{t?.(),e.readTexts().then(g=>s(new xo(g))).catch(g=>l(`The titles cannot be read: ${g.message}`))};return a?P("p",{class:"error",role:"alert",children:a}):r?P(bR,{points:r,texts:o,source:e,host:c,canvas:u,hasFailed:d,onReady:m}):P("div",{class:"map-page",children:[P("p",{children:"Reading the map\u2026"}),P("figure",{class:"map-figure",children:P("div",{class:"map-frame",children:P(ty,{host:c})})})]})}function ty({host:e}){return P("div",{class:"map-holder",ref:t=>t?.append(e)})}function bR({points:e,texts:t,source:i,host:r,canvas:n,hasFailed:o,onReady:s}){let[a,l]=me(()=>j_(i.readAddress(),e)),[c,u]=me(null),[f,d]=me(null),[h,m]=me(!1),[g,b]=me(-1),[x,v]=me(""),T=SR(),_=ei(null),w=Oe(()=>new Ca(e.places),[e]),[A,I]=me(0),z=ei(!Of(i.readAddress())),N=Hi(e)[0],U=Oe(()=>jd(e,a),[e,a.color,a.only,a.years]),H=Oe(()=>TR(e,a,U),[e,a.selection,U]),O=Oe(()=>PR(e.count,H??c?.rows??null),[H,c]),Q=Oe(()=>Xd(e,a.color,T),[e,a.color,T]),S=Oe(()=>Gd(e,a.color,T,U,O),[e,a.color,T,U,O]),F=Oe(()=>(w.setVisible(V=>U[V]===1),{count:w.count.bind(w)}),[w,U]);Fr(()=>{let V=()=>{document.body.dataset.ready="map",s()};o&&V(),n&&(n.setPoints(e.places,vR(e),w),n.loaded.then(()=>n.setCamera(Of(i.readAddress())??n.fit(e.box))),n.onMove(()=>I(ie=>ie+1)),n.onHover((ie,Ze)=>d(ie<0?null:{row:ie,pixel:Ze})),n.ready.then(V))},[n,o]),Fr(()=>{n?.setColors(S)},[n,S]),Xe(()=>{n?.setGround(iy(r))},[n,T]);let D=ei(V=>{});D.current=V=>{V<0||(i.paperAddress&&t?location.href=i.paperAddress(t.get("id",V)):b(V))},Xe(()=>n?.onClick(V=>D.current(V)),[n]),Xe(()=>{t&&(document.body.dataset.texts="read")},[t]);let W=e.header.overlays.some(({name:V})=>V===a.color)?e.header.level:a.color,Y=a.selection&&"community"in a.selection?a.selection.community:"",j=Oe(()=>n?E_(e.level(W).communities,n,F,e.header.least,Y):[],[n,F,W,Y,A]);Xe(()=>{let V=setTimeout(()=>{let ie=n&&!z.current?n.camera:null;i.writeAddress(G_(a,ie,i.run,N))},gR);return()=>clearTimeout(V)},[a,A,n]),Xe(()=>{if(!t||a.q.trim().length<2){u(null);return}let V=new AbortController;u(null);let ie=setTimeout(()=>{i.search(a.q,e,t,V.signal).then(u).catch(Ze=>{V.signal.aborted||u({matches:0,rows:[],seen:0,error:Ze instanceof Error?Ze.message:"No answer."})})},120);return()=>{clearTimeout(ie),V.abort()}},[a.q,t]);let $=(V,ie=0)=>{z.current=!1,n?.setCamera(V,ie)},te=V=>{if(!n)return;let[ie,Ze]=[e.places[2*V],e.places[2*V+1]];$({x:ie,y:Ze,zoom:Math.max(n.camera.zoom,xR)},J_),d({row:V,pixel:[n.width/2,n.height/2]})},ne=V=>n&&$({...n.camera,zoom:n.camera.zoom*V}),Ne=()=>{n?.setCamera(n.fit(e.box),J_),z.current=!0};Xe(()=>{let V=()=>z.current=!1;r.addEventListener("wheel",V,{passive:!0}),r.addEventListener("pointerdown",V)},[]);let _e=()=>{h?m(!1):a.selection?l({...a,selection:null}):a.only.length||a.years?l({...a,only:[],years:null}):l({...a,q:""}),d(null),b(-1)};Xe(()=>{let V=ie=>{let Vi=ie.target.matches("input:not([type=range]), select, textarea");ie.ctrlKey||ie.metaKey||ie.altKey||(ie.key==="Escape"?_e():ie.key==="/"&&!Vi&&(ie.preventDefault(),_.current?.focus()))};return addEventListener("keydown",V),()=>removeEventListener("keydown",V)});let Be=V=>{if(!n||V.ctrlKey||V.metaKey||V.altKey)return;let ie=n.camera,[Ze,Vi]=[n.toMap([0,0]),n.toMap([n.width,n.height])],[Yn,jn]=[Q_*(Vi[0]-Ze[0]),Q_*(Vi[1]-Ze[1])],Er={ArrowLeft:()=>$({...ie,x:ie.x-Yn}),ArrowRight:()=>$({...ie,x:ie.x+Yn}),ArrowUp:()=>$({...ie,y:ie.y-jn}),ArrowDown:()=>$({...ie,y:ie.y+jn}),"+":()=>ne(Xn),"=":()=>ne(Xn),"-":()=>ne(1/Xn),0:Ne}[V.key];Er&&(V.preventDefault(),Er())},Le=Oe(()=>H??(c?c.rows.filter(V=>U[V]).sort((V,ie)=>ie-V):ry(U)),[H,c,U]),J=()=>n&&{canvas:n,points:e,colors:S,labels:j,legend:Q,theme:T,radius:Lf(e)*n.magnification,title:`Papers by ${Br(e,a.color)}`,footer:`${yi(Le.length,"paper")} \xB7 ${e.header.run}`},Ve=[...c&&c.rows.length<=_R?c.rows:[],...g>=0?[g]:[]];return P("div",{class:"map-page",children:[P(F_,{points:e,choice:a,legend:Q,levels:Hi(e),onChange:l}),P("figure",{class:"map-figure",children:[P("div",{class:"map-frame",tabIndex:0,role:"application","aria-label":`Map of ${yi(e.count,"paper")}`,"aria-describedby":"map-keys",onKeyDown:Be,children:[P(ty,{host:r}),n&&P(I_,{canvas:n,points:e,labels:j,own:Y,rings:Ve.filter(V=>U[V]),hover:f?f.row:-1,radius:Lf(e)*n.magnification,polygon:a.selection&&"polygon"in a.selection?a.selection.polygon:null}),n&&h&&P(D_,{canvas:n,onDone:V=>{m(!1);let ie=H_(V);ie.length>2&&l({...a,selection:{polygon:ie}})}}),f&&n&&!h&&P(CR,{hover:f,canvas:n,points:e,texts:t}),o&&P("p",{class:"map-notice",role:"alert",children:"This browser has no WebGL2, so that the map is not drawn. Search, legend and table work without it."})]}),P("div",{class:"map-tools",role:"group","aria-label":"View",children:[P("button",{onClick:()=>ne(Xn),"aria-label":"Zoom in",title:"Zoom in (+)",children:"+"}),P("button",{onClick:()=>ne(1/Xn),"aria-label":"Zoom out",title:"Zoom out (-)",children:"\u2212"}),P("button",{onClick:Ne,title:"Show all (0)",children:"Whole"}),P("button",{"aria-pressed":h,onClick:()=>m(!h),title:"Draw around papers to select them",children:"Lasso"}),P("button",{onClick:()=>{let V=J();V&&L_(V)},children:"PNG"}),P("button",{onClick:()=>{let V=J();V&&v(z_(V))},children:"SVG"})]}),x&&P("p",{class:"error",role:"alert",children:x}),P("figcaption",{id:"map-keys",children:["Papers with similar texts are near each other. ",e.header.weight==="none"?"All dots have one size: the graph has no citations between these papers.":`Larger dots receive more ${e.header.weight}.`," ","Arrow keys move the map, + and \u2212 zoom, 0 shows all, / searches, Escape clears."]})]}),P("aside",{class:"map-side","aria-label":"Papers",children:[P(X_,{field:_,choice:a,found:c,points:e,texts:t,shown:U,onChange:l,onFly:te}),g>=0&&t&&P(AR,{row:g,points:e,texts:t,onClose:()=>b(-1)}),P(Z_,{points:e,texts:t,rows:Le,source:i,choice:a,whole:e.count,isSelected:H!==null,found:c,onClear:()=>l({...a,selection:null}),onPoint:V=>d(V<0||!n?null:{row:V,pixel:n.toScreen([e.places[2*V],e.places[2*V+1]])}),onFly:te})]})]})}function SR(){let e=Oe(()=>matchMedia("(prefers-color-scheme: dark)"),[]),t=()=>{let n=getComputedStyle(document.documentElement).colorScheme;return n==="dark"||n!=="light"&&e.matches?"dark":"light"},[i,r]=me(t);return Xe(()=>{let n=()=>r(t()),o=new MutationObserver(n);return o.observe(document.documentElement,{attributeFilter:["data-theme"]}),e.addEventListener("change",n),n(),()=>{o.disconnect(),e.removeEventListener("change",n)}},[e]),i}var Lf=e=>Math.max(1.1,8-1.45*Math.log10(e.count+1)),vR=e=>{let t=Lf(e);return Float32Array.from(e.size,i=>2*t*yR[i])},iy=e=>getComputedStyle(e.closest(".map-frame")??document.documentElement).backgroundColor;function TR(e,{selection:t},i){if(!t)return null;if("polygon"in t)return W_(t.polygon,e.places,r=>i[r]===1).reverse();for(let r of e.header.levels){let n=r.communities.findIndex(({name:s})=>s===t.community);if(n<0)continue;let o=e.members(r.name);return ry(i).filter(s=>o[s]===n)}return null}function ry(e){let t=[];for(let i=e.length-1;i>=0;i--)e[i]&&t.push(i);return t}function PR(e,t){if(!t)return null;let i=new Uint8Array(e);for(let r of t)i[r]=1;return i}function Uf(e,t){let i=e.received[t];return i.toLocaleString("en",{maximumFractionDigits:Number.isInteger(i)||i>=1e3?0:2})}function CR({hover:e,canvas:t,points:i,texts:r}){let{row:n}=e,[o,s]=t.toScreen([i.places[2*n],i.places[2*n+1]]),a=o>t.width/2,l=s>t.height/2;return P("div",{class:`map-card ${a?"left":"right"} ${l?"above":"below"}`,role:"status",style:{left:`${o}px`,top:`${s}px`},children:[P("b",{children:r?r.title(n):"Reading titles\u2026"}),P("span",{children:[i.year[n]||"",r?.get("venue",n)].filter(Boolean).join(" \xB7 ")}),P(ny,{points:i,row:n})]})}function ny({points:e,row:t}){let i=e.community(t,Hi(e)[0]),{weight:r}=e.header;return P(Jt,{children:[i&&P("span",{children:Zi(i)}),r!=="none"&&P("span",{children:[r," received ",Uf(e,t),", cited by ",e.cited[t].toLocaleString("en")]})]})}function AR({row:e,points:t,texts:i,onClose:r}){let n=i.get("id",e),o=/^doi:(10\..+)$/i.exec(n)?.[1];return P("section",{class:"card map-opened","aria-label":"Paper",children:[P("button",{class:"close",onClick:r,"aria-label":"Close the paper",children:"\xD7"}),P("h2",{dir:"auto",children:i.title(e)}),P("p",{class:"map-facts",children:[P("span",{children:[t.year[e]||"",i.get("venue",e)].filter(Boolean).join(" \xB7 ")}),P(ny,{points:t,row:e}),o?P("a",{href:`https://doi.org/${o.split("/").map(encodeURIComponent).join("/")}`,target:"_blank",rel:"noopener noreferrer",children:n}):P("span",{children:n})]})]})}async function oy(e){let t=atob(document.getElementById(e)?.textContent??""),i=Uint8Array.from(t,n=>n.charCodeAt(0)),r=new Blob([i]).stream().pipeThrough(new DecompressionStream("gzip"));return new Response(r).arrayBuffer()}var wR={run:"",readPoints:()=>oy("points"),readTexts:()=>oy("texts"),search:async(e,t,i)=>Md(e,t,i),readAddress:()=>new URLSearchParams(location.hash.slice(1)),writeAddress:e=>history.replaceState(null,"",e?`#${e}`:location.pathname+location.search)},sy=document.getElementById("page");sy&&Ed(P("main",{children:[P("h1",{children:document.title}),P(ey,{source:wR})]}),sy);})();
/*!
@cosmos.gl/graph 3.3.0 (MIT)

MIT License

Copyright Contributors to the cosmos.gl project.

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.

------------------------------------------------------------------------

@luma.gl/core 9.3.6 (MIT)

luma.gl is provided under the MIT license

Copyright (c) 2020 vis.gl contributors

This software includes parts initially developed by Uber and open sourced under MIT license.
Copyright (c) 2015 Uber Technologies, Inc.

This software includes parts of PhiloGL (https://github.com/philogb/philogl)
under MIT license. PhiloGL parts Copyright © 2013 Sencha Labs.

This software includes adaptations of some postprocessing code from 
THREE.js (https://github.com/mrdoob/three.js/) under MIT license. 
THREE.js parts Copyright © 2010-2018 three.js authors. 

Additional attribution given in specific source files. 

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

------------------------------------------------------------------------

@luma.gl/engine 9.3.6 (MIT)

luma.gl is provided under the MIT license

Copyright (c) 2020 vis.gl contributors

This software includes parts initially developed by Uber and open sourced under MIT license.
Copyright (c) 2015 Uber Technologies, Inc.

This software includes parts of PhiloGL (https://github.com/philogb/philogl)
under MIT license. PhiloGL parts Copyright © 2013 Sencha Labs.

This software includes adaptations of some postprocessing code from 
THREE.js (https://github.com/mrdoob/three.js/) under MIT license. 
THREE.js parts Copyright © 2010-2018 three.js authors. 

Additional attribution given in specific source files. 

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

------------------------------------------------------------------------

@luma.gl/shadertools 9.3.6 (MIT)

luma.gl is provided under the MIT license

Copyright (c) 2020 vis.gl contributors

This software includes parts initially developed by Uber and open sourced under MIT license.
Copyright (c) 2015 Uber Technologies, Inc.

This software includes parts of PhiloGL (https://github.com/philogb/philogl)
under MIT license. PhiloGL parts Copyright © 2013 Sencha Labs.

This software includes adaptations of some postprocessing code from 
THREE.js (https://github.com/mrdoob/three.js/) under MIT license. 
THREE.js parts Copyright © 2010-2018 three.js authors. 

Additional attribution given in specific source files. 

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

------------------------------------------------------------------------

@luma.gl/webgl 9.3.6 (MIT)

luma.gl is provided under the MIT license

Copyright (c) 2020 vis.gl contributors

This software includes parts initially developed by Uber and open sourced under MIT license.
Copyright (c) 2015 Uber Technologies, Inc.

This software includes parts of PhiloGL (https://github.com/philogb/philogl)
under MIT license. PhiloGL parts Copyright © 2013 Sencha Labs.

This software includes adaptations of some postprocessing code from 
THREE.js (https://github.com/mrdoob/three.js/) under MIT license. 
THREE.js parts Copyright © 2010-2018 three.js authors. 

Additional attribution given in specific source files. 

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

------------------------------------------------------------------------

@math.gl/core 4.1.0 (MIT)

MIT License

Copyright (c) 2017 Uber Technologies, Inc.

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

---

math.gl builds on docs and code from "gl-matrix", which is MIT licensed as follows:

Copyright (c) 2015, Brandon Jones, Colin MacKenzie IV.

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

--

math.gl builds on docs and code from THREE.js, which is MIT licensed as follows:

The MIT License

Copyright © 2010-2017 three.js authors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

---

math.gl includes certain files from Cesium (https://github.com/AnalyticalGraphicsInc/cesium) under the Apache 2 License:

Copyright 2011-2018 CesiumJS Contributors

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at
http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and limitations under the License.

Cesium-derived code can be found in the submodule: modules/3d-tiles

------------------------------------------------------------------------

@math.gl/types 4.1.0 (MIT)

MIT License

Copyright (c) 2017 Uber Technologies, Inc.

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

---

math.gl builds on docs and code from "gl-matrix", which is MIT licensed as follows:

Copyright (c) 2015, Brandon Jones, Colin MacKenzie IV.

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

--

math.gl builds on docs and code from THREE.js, which is MIT licensed as follows:

The MIT License

Copyright © 2010-2017 three.js authors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

---

math.gl includes certain files from Cesium (https://github.com/AnalyticalGraphicsInc/cesium) under the Apache 2 License:

Copyright 2011-2018 CesiumJS Contributors

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at
http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and limitations under the License.

Cesium-derived code can be found in the submodule: modules/3d-tiles

------------------------------------------------------------------------

@probe.gl/env 4.1.2 (MIT)

Copyright Vis.gl contributors.

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

------------------------------------------------------------------------

@probe.gl/log 4.1.2 (MIT)

Copyright Vis.gl contributors.

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

------------------------------------------------------------------------

@probe.gl/stats 4.1.2 (MIT)

Copyright Vis.gl contributors.

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

------------------------------------------------------------------------

d3-array 3.2.5 (ISC)

Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.

------------------------------------------------------------------------

d3-color 3.1.1 (ISC)

Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.

------------------------------------------------------------------------

d3-dispatch 3.0.2 (ISC)

Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.

------------------------------------------------------------------------

d3-drag 3.0.1 (ISC)

Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.

------------------------------------------------------------------------

d3-ease 3.0.2 (BSD-3-Clause)

Copyright 2010-2026 Mike Bostock
Copyright 2001 Robert Penner
All rights reserved.

Redistribution and use in source and binary forms, with or without modification,
are permitted provided that the following conditions are met:

* Redistributions of source code must retain the above copyright notice, this
  list of conditions and the following disclaimer.

* Redistributions in binary form must reproduce the above copyright notice,
  this list of conditions and the following disclaimer in the documentation
  and/or other materials provided with the distribution.

* Neither the name of the author nor the names of contributors may be used to
  endorse or promote products derived from this software without specific prior
  written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE FOR
ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
(INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES;
LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON
ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
(INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

------------------------------------------------------------------------

d3-format 3.1.3 (ISC)

Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.

------------------------------------------------------------------------

d3-interpolate 3.0.2 (ISC)

Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.

------------------------------------------------------------------------

d3-scale 4.0.3 (ISC)

Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.

------------------------------------------------------------------------

d3-selection 3.0.1 (ISC)

Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.

------------------------------------------------------------------------

d3-time 3.1.1 (ISC)

Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.

------------------------------------------------------------------------

d3-time-format 4.1.1 (ISC)

Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.

------------------------------------------------------------------------

d3-timer 3.0.2 (ISC)

Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.

------------------------------------------------------------------------

d3-transition 3.0.2 (ISC)

Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.

------------------------------------------------------------------------

d3-zoom 3.0.1 (ISC)

Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.

------------------------------------------------------------------------

dompurify 3.4.18 ((MPL-2.0 OR Apache-2.0))

Apache License
                           Version 2.0, January 2004
                        http://www.apache.org/licenses/

   TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION

   1. Definitions.

      "License" shall mean the terms and conditions for use, reproduction,
      and distribution as defined by Sections 1 through 9 of this document.

      "Licensor" shall mean the copyright owner or entity authorized by
      the copyright owner that is granting the License.

      "Legal Entity" shall mean the union of the acting entity and all
      other entities that control, are controlled by, or are under common
      control with that entity. For the purposes of this definition,
      "control" means (i) the power, direct or indirect, to cause the
      direction or management of such entity, whether by contract or
      otherwise, or (ii) ownership of fifty percent (50%) or more of the
      outstanding shares, or (iii) beneficial ownership of such entity.

      "You" (or "Your") shall mean an individual or Legal Entity
      exercising permissions granted by this License.

      "Source" form shall mean the preferred form for making modifications,
      including but not limited to software source code, documentation
      source, and configuration files.

      "Object" form shall mean any form resulting from mechanical
      transformation or translation of a Source form, including but
      not limited to compiled object code, generated documentation,
      and conversions to other media types.

      "Work" shall mean the work of authorship, whether in Source or
      Object form, made available under the License, as indicated by a
      copyright notice that is included in or attached to the work
      (an example is provided in the Appendix below).

      "Derivative Works" shall mean any work, whether in Source or Object
      form, that is based on (or derived from) the Work and for which the
      editorial revisions, annotations, elaborations, or other modifications
      represent, as a whole, an original work of authorship. For the purposes
      of this License, Derivative Works shall not include works that remain
      separable from, or merely link (or bind by name) to the interfaces of,
      the Work and Derivative Works thereof.

      "Contribution" shall mean any work of authorship, including
      the original version of the Work and any modifications or additions
      to that Work or Derivative Works thereof, that is intentionally
      submitted to Licensor for inclusion in the Work by the copyright owner
      or by an individual or Legal Entity authorized to submit on behalf of
      the copyright owner. For the purposes of this definition, "submitted"
      means any form of electronic, verbal, or written communication sent
      to the Licensor or its representatives, including but not limited to
      communication on electronic mailing lists, source code control systems,
      and issue tracking systems that are managed by, or on behalf of, the
      Licensor for the purpose of discussing and improving the Work, but
      excluding communication that is conspicuously marked or otherwise
      designated in writing by the copyright owner as "Not a Contribution."

      "Contributor" shall mean Licensor and any individual or Legal Entity
      on behalf of whom a Contribution has been received by Licensor and
      subsequently incorporated within the Work.

   2. Grant of Copyright License. Subject to the terms and conditions of
      this License, each Contributor hereby grants to You a perpetual,
      worldwide, non-exclusive, no-charge, royalty-free, irrevocable
      copyright license to reproduce, prepare Derivative Works of,
      publicly display, publicly perform, sublicense, and distribute the
      Work and such Derivative Works in Source or Object form.

   3. Grant of Patent License. Subject to the terms and conditions of
      this License, each Contributor hereby grants to You a perpetual,
      worldwide, non-exclusive, no-charge, royalty-free, irrevocable
      (except as stated in this section) patent license to make, have made,
      use, offer to sell, sell, import, and otherwise transfer the Work,
      where such license applies only to those patent claims licensable
      by such Contributor that are necessarily infringed by their
      Contribution(s) alone or by combination of their Contribution(s)
      with the Work to which such Contribution(s) was submitted. If You
      institute patent litigation against any entity (including a
      cross-claim or counterclaim in a lawsuit) alleging that the Work
      or a Contribution incorporated within the Work constitutes direct
      or contributory patent infringement, then any patent licenses
      granted to You under this License for that Work shall terminate
      as of the date such litigation is filed.

   4. Redistribution. You may reproduce and distribute copies of the
      Work or Derivative Works thereof in any medium, with or without
      modifications, and in Source or Object form, provided that You
      meet the following conditions:

      (a) You must give any other recipients of the Work or
          Derivative Works a copy of this License; and

      (b) You must cause any modified files to carry prominent notices
          stating that You changed the files; and

      (c) You must retain, in the Source form of any Derivative Works
          that You distribute, all copyright, patent, trademark, and
          attribution notices from the Source form of the Work,
          excluding those notices that do not pertain to any part of
          the Derivative Works; and

      (d) If the Work includes a "NOTICE" text file as part of its
          distribution, then any Derivative Works that You distribute must
          include a readable copy of the attribution notices contained
          within such NOTICE file, excluding those notices that do not
          pertain to any part of the Derivative Works, in at least one
          of the following places: within a NOTICE text file distributed
          as part of the Derivative Works; within the Source form or
          documentation, if provided along with the Derivative Works; or,
          within a display generated by the Derivative Works, if and
          wherever such third-party notices normally appear. The contents
          of the NOTICE file are for informational purposes only and
          do not modify the License. You may add Your own attribution
          notices within Derivative Works that You distribute, alongside
          or as an addendum to the NOTICE text from the Work, provided
          that such additional attribution notices cannot be construed
          as modifying the License.

      You may add Your own copyright statement to Your modifications and
      may provide additional or different license terms and conditions
      for use, reproduction, or distribution of Your modifications, or
      for any such Derivative Works as a whole, provided Your use,
      reproduction, and distribution of the Work otherwise complies with
      the conditions stated in this License.

   5. Submission of Contributions. Unless You explicitly state otherwise,
      any Contribution intentionally submitted for inclusion in the Work
      by You to the Licensor shall be under the terms and conditions of
      this License, without any additional terms or conditions.
      Notwithstanding the above, nothing herein shall supersede or modify
      the terms of any separate license agreement you may have executed
      with Licensor regarding such Contributions.

   6. Trademarks. This License does not grant permission to use the trade
      names, trademarks, service marks, or product names of the Licensor,
      except as required for reasonable and customary use in describing the
      origin of the Work and reproducing the content of the NOTICE file.

   7. Disclaimer of Warranty. Unless required by applicable law or
      agreed to in writing, Licensor provides the Work (and each
      Contributor provides its Contributions) on an "AS IS" BASIS,
      WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or
      implied, including, without limitation, any warranties or conditions
      of TITLE, NON-INFRINGEMENT, MERCHANTABILITY, or FITNESS FOR A
      PARTICULAR PURPOSE. You are solely responsible for determining the
      appropriateness of using or redistributing the Work and assume any
      risks associated with Your exercise of permissions under this License.

   8. Limitation of Liability. In no event and under no legal theory,
      whether in tort (including negligence), contract, or otherwise,
      unless required by applicable law (such as deliberate and grossly
      negligent acts) or agreed to in writing, shall any Contributor be
      liable to You for damages, including any direct, indirect, special,
      incidental, or consequential damages of any character arising as a
      result of this License or out of the use or inability to use the
      Work (including but not limited to damages for loss of goodwill,
      work stoppage, computer failure or malfunction, or any and all
      other commercial damages or losses), even if such Contributor
      has been advised of the possibility of such damages.

   9. Accepting Warranty or Additional Liability. While redistributing
      the Work or Derivative Works thereof, You may choose to offer,
      and charge a fee for, acceptance of support, warranty, indemnity,
      or other liability obligations and/or rights consistent with this
      License. However, in accepting such obligations, You may act only
      on Your own behalf and on Your sole responsibility, not on behalf
      of any other Contributor, and only if You agree to indemnify,
      defend, and hold each Contributor harmless for any liability
      incurred by, or claims asserted against, such Contributor by reason
      of your accepting any such warranty or additional liability.

   END OF TERMS AND CONDITIONS

   APPENDIX: How to apply the Apache License to your work.

      To apply the Apache License to your work, attach the following
      boilerplate notice, with the fields enclosed by brackets "[]"
      replaced with your own identifying information. (Don't include
      the brackets!)  The text should be enclosed in the appropriate
      comment syntax for the file format. We also recommend that a
      file or class name and description of purpose be included on the
      same "printed page" as the copyright notice for easier
      identification within third-party archives.

   Copyright [yyyy] [name of copyright owner]

   Licensed under the Apache License, Version 2.0 (the "License");
   you may not use this file except in compliance with the License.
   You may obtain a copy of the License at

       http://www.apache.org/licenses/LICENSE-2.0

   Unless required by applicable law or agreed to in writing, software
   distributed under the License is distributed on an "AS IS" BASIS,
   WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
   See the License for the specific language governing permissions and
   limitations under the License.

------------------------------------------------------------------------

gl-bench 1.0.42 (MIT)

MIT License

Copyright (c) 2018 munrocket

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.

------------------------------------------------------------------------

gl-matrix 3.4.4 (MIT)

Copyright (c) 2015-2025, Brandon Jones, Colin MacKenzie IV.

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

------------------------------------------------------------------------

preact 10.29.8 (MIT)

The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.

------------------------------------------------------------------------

random 4.1.0 (MIT)

MIT License

Copyright (c) 2022 Travis Fischer

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.

------------------------------------------------------------------------

seedrandom 3.0.5 (MIT)


*/
